// What a grant for commands covers: its very words; or, where it ends in `:*`, what may follow them, which is operands
// inside the workspace and the options that the table knows. However a grant came to be stored, this is what it means. Pure.
import type { Rule } from "../rules.ts";
import { coversPart, wordsOf } from "../shell/rule-covers.ts";
import type { ShellPart } from "../shell/shell-reading.ts";
import { nameOf } from "../shell/unwrap.ts";
import { neverGranted } from "./never-granted.ts";
import { OPEN_USES, type OpenUse, WITH_SUBCOMMANDS } from "./open-uses.ts";

/** Where the operands of a command lead: an operand that is not among them is not known to be inside. */
export type GrantPlace = {
  readonly roots: readonly string[];
  readonly operands: Readonly<Record<string, string>>;
};

export function grantCovers({ spec }: Rule, part: ShellPart, place: GrantPlace): boolean {
  if (spec === undefined) return true;
  if (!coversPart(spec, part)) return false;
  const { words, open } = wordsOf(spec);
  if (!open || part.words.length === words.length) return true;
  return !isTooShort(words) && mayFollow(useOf(words), part, words.length, place);
}

/** What stands before `:*` in the grant that is offered for a part; undefined where its very words are. */
export function openWords(part: ShellPart, place: GrantPlace): readonly string[] | undefined {
  const use = OPEN_USES.find(({ words }) => words.every((word, at) => part.words[at] === word));
  if (!use || part.words.length === use.words.length) return undefined;
  // An option that stands in the call may be why it was allowed: then it is kept, with all the other words.
  const plain: OpenUse = { ...use, options: [], textOptions: [] };
  return mayFollow(plain, part, use.words.length, place) ? use.words : undefined;
}

/** What a grant allows, as a person reads it; undefined where its own words say it. */
export function grantMeaning({ tool, spec }: Rule): string | undefined {
  if (tool !== "Bash") return undefined;
  if (spec === undefined) return ANY_COMMAND;
  const { words, open } = wordsOf(spec);
  const never = neverGranted({ words });
  if (never !== undefined) return `allows nothing: ${never}`;
  if (!open) return undefined;
  if (isTooShort(words))
    return `only ${words.join(" ")} alone: what follows says what it does, so it needs its own rule`;
  const { texts = 0, options = [], textOptions = [] } = useOf(words);
  const known = [...options, ...textOptions].map((option) => option.replace(/=$/, "=…"));
  const what = texts > 0 ? "any text, then names and files of the project" : "names and files of the project";
  return `followed by ${what}; options: ${known.length > 0 ? known.join(" ") : "none"}`;
}

const ANY_COMMAND =
  "only commands that Sous can read whole; not what runs code that it is given (node, python, bash, vim) or another " +
  "program, sets variables, is given input, writes with > or changes the folder; git only in a trusted folder";

const isTooShort = (words: readonly string[]): boolean =>
  words.length < 2 && WITH_SUBCOMMANDS.has(nameOf(words[0]) ?? "");

const useOf = (words: readonly string[]): OpenUse =>
  OPEN_USES.find((use) => use.words.length <= words.length && use.words.every((word, at) => words[at] === word)) ?? {
    words,
  };

function mayFollow(use: OpenUse, { words, single }: ShellPart, from: number, place: GrantPlace): boolean {
  const isText = (at: number): boolean => at < words.length && (words[at] !== null || single?.includes(at) === true);
  let at = from;
  for (let texts = use.texts ?? 0; texts > 0; texts--, at++) if (!isText(at)) return false;
  for (; at < words.length; at++) {
    const word = words[at];
    if (word === null || word === undefined) return false;
    if (use.textOptions?.includes(word)) {
      if (!isText(++at)) return false;
    } else if (word === "--") {
      if (!use.dashes) return false;
    } else if (word.startsWith("-") ? !isKnown(word, use) : !isInside(word, place)) return false;
  }
  return true;
}

const isKnown = (word: string, { options = [] }: OpenUse): boolean =>
  options.some((option) =>
    option.endsWith("=") ? word.startsWith(option) && /^[\w.]+$/.test(word.slice(option.length)) : word === option,
  );

/** No list of arguments, no setting, no address, and no path that leads out of the workspace. */
function isInside(word: string, { roots, operands }: GrantPlace): boolean {
  if (word === "" || /^[@+:!]|=|:\/\//.test(word)) return false;
  const path = Object.hasOwn(operands, word) ? operands[word] : undefined;
  return path !== undefined && roots.some((root) => path === root || path.startsWith(`${root.replace(/\/$/, "")}/`));
}
