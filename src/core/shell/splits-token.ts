// A line that goes on in the next, with a backslash at its end, may split a sign or a word: bash joins them before it
// reads anything, and a parser may not.
import { type Script, type SyntaxNode, forEachChild } from "unbash";

/** Whether a line ends elsewhere than between words. What is inside of words is looked at with the word. */
export function splitsToken(command: string, script: Script): boolean {
  if (!command.includes("\\\n")) return false;
  const words: { readonly pos: number; readonly end: number }[] = [];
  const collect = (node: SyntaxNode): void => {
    if (node.type === "Word" || node.type === "HereDocBody") words.push(node);
    else forEachChild(node, collect);
  };
  collect(script);
  words.sort((a, b) => a.pos - b.pos);
  let next = 0;
  for (let at = command.indexOf("\\\n"); at >= 0; at = command.indexOf("\\\n", at + 2)) {
    while (next < words.length && words[next]!.end <= at) next++;
    const word = words[next];
    if (word && word.pos <= at) continue;
    if (!/[ \t\n]/.test(command[at - 1] ?? "\n") && !/[ \t]/.test(command[at + 2] ?? " ")) return true;
  }
  return false;
}
