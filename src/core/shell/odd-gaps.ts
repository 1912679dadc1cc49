// What stands between the words of a command has to be plain blanks and signs: where it is not, a parser that forgives
// much may have made other words of it than the shell does.
import { type Command, type Redirection, type Script, type SyntaxNode, forEachChild } from "unbash";

type Range = { readonly pos: number; readonly end: number };

/** Why the words may not be those that the shell reads; undefined when they are. */
export function oddGaps(source: string, script: Script): string | undefined {
  const words: Range[] = [];
  const texts: Range[] = [];
  let odd: string | undefined;
  const collect = (node: SyntaxNode): void => {
    if (node.type === "Word" || node.type === "HereDocBody") words.push(node);
    if (SOLID.has(node.type) || ("text" in node && !("parts" in node && node.parts) && !("script" in node)))
      texts.push(node);
    if (node.type === "Command" && !isPlainCommand(source, node))
      odd ??= "its words are joined in a way that is not plain";
    // Scripts in escaped backticks have a text of their own.
    if (node.type !== "Script" || node.source === undefined) forEachChild(node, collect);
  };
  collect(script);
  return odd ?? oddSigns(source, texts) ?? oddLines(source, words);
}

/** Signs in them are none of the shell's. */
const SOLID: ReadonlySet<string> = new Set([
  "ParameterExpansion",
  "ArithmeticExpansion",
  "ArithmeticCommand",
  "TestCommand",
]);

/** A sign that ends a command, where there is none to end: a parser may pass over it. */
function oddSigns(source: string, texts: readonly Range[]): string | undefined {
  const sorted = texts.toSorted((a, b) => a.pos - b.pos);
  let [next, reached] = [0, 0];
  for (const { index, 0: all } of source.matchAll(/;(?![;&])|&(?!&)|\|/g)) {
    if (!hasNoneBefore(source, index)) continue;
    while (next < sorted.length && sorted[next]!.pos <= index) reached = Math.max(reached, sorted[next++]!.end);
    const isJoined = all !== ";" && source[index - 1] === "&";
    if (index >= reached && !isJoined) return "a sign in it stands where none may stand";
  }
  return undefined;
}

/** Whether a line or another sign comes right before, with no more than blanks between. Each blank is passed over once. */
function hasNoneBefore(source: string, index: number): boolean {
  let [at, line] = [index - 1, false];
  for (; at >= 0 && /\s/.test(source[at]!); at--) line ||= source[at] === "\n";
  const before = source[at] ?? "";
  return line || (at < index - 1 ? /[;&|]/.test(before) : before === "&");
}

function isPlainCommand(source: string, { prefix, name, suffix, redirects }: Command): boolean {
  if (!redirects.every((one) => isPlainRedirection(source, one))) return false;
  const tokens = [...prefix, ...(name ? [name] : []), ...suffix];
  // A bracket after its last word is no part of a simple command.
  if (/^[ \t]*\(/.test(source.slice(tokens.at(-1)?.end ?? source.length).slice(0, 100))) return false;
  const hasBody = redirects.some(({ type }) => type === "HereDoc");
  return tokens.every((token, n) => {
    const before = tokens[n - 1];
    if (!before) return true;
    const gap = source.slice(before.end, token.pos);
    if (!/^(?:[ \t]|\\\n)*$/.test(gap) || (hasBody && gap.includes("\\"))) return false;
    if (/[ \t]/.test(gap)) return true;
    // A redirection needs no blank before it, but then no line ends there either: a number would be a descriptor.
    return (
      gap === "" && token.type !== "Word" && /[<>&]/.test(source[token.pos] ?? "") && source[before.end - 1] !== "\n"
    );
  });
}

function isPlainRedirection(source: string, one: Redirection): boolean {
  const target = one.type === "HereDoc" ? one.delimiter : one.target;
  const sign = source.slice(one.pos, target?.pos);
  return /^(?:\d{1,3}|\{\w+\})?(?:<<<|<<-|<<|&>>|&>|>>|<>|>\||>&|<&|<|>)[ \t]*$/.test(sign);
}

/** Lines that go on with a backslash. What is inside of words is looked at with the word. */
function oddLines(source: string, words: Range[]): string | undefined {
  words.sort((a, b) => a.pos - b.pos);
  const ends = new Set(words.map(({ end }) => end));
  if (words.some(({ pos }) => ends.has(pos))) return "its words are joined in a way that is not plain";
  let next = 0;
  for (let at = source.indexOf("\\\n"); at >= 0; at = source.indexOf("\\\n", at + 2)) {
    while (next < words.length && words[next]!.end <= at) next++;
    const word = words[next];
    const after = source[at + 2] ?? " ";
    const isOdd =
      word !== undefined && word.pos <= at
        ? at + 2 === word.end && !/[\s;]/.test(after)
        : !/[ \t\n]/.test(source[at - 1] ?? " ") && !/[ \t]/.test(after);
    if (isOdd) return "the end of a line stands inside of a sign or a word";
  }
  return undefined;
}
