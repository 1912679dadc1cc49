// Whether a person's rule for commands reaches one part of a command: to allow, whole; to deny, as far as it may.
import type { ShellPart } from "./shell-reading.ts";
import { nameOf } from "./unwrap.ts";

/** `git log:*` and `git log *` cover `git log` and what follows it; any other words are exactly these. */
export function coversPart(spec: string, part: ShellPart): boolean {
  if (part.sets.length > 0 || part.opaque !== undefined) return false;
  const { words, open } = wordsOf(spec);
  if (open ? part.words.length < words.length : part.words.length !== words.length) return false;
  return words.length > 0 && words.every((word, at) => part.words[at] === word);
}

/**
 * A program counts wherever it stands, a word that is not known yet may be any word, and options may come before what
 * the program is to do: `git -C . push` is `git push`.
 */
export function reachesPart(spec: string, { words: given }: ShellPart): boolean {
  const [program, ...words] = wordsOf(spec).words;
  const isProgram = given[0] === null || given[0] === program || nameOf(given[0]) === program;
  if (program === undefined || !isProgram || given.length === 0) return false;
  const standsAt = (at: number): boolean => words.every((word, n) => given[at + n] === null || given[at + n] === word);
  const isOption = (word: string | null | undefined): boolean => word?.startsWith("-") ?? false;
  for (let at = 1; at <= given.length; at++) {
    if (standsAt(at)) return true;
    if (!isOption(given[at]) && !(at > 1 && isOption(given[at - 1]))) return false;
  }
  return false;
}

export function wordsOf(spec: string): { readonly words: readonly string[]; readonly open: boolean } {
  const open = /^(.+?)(?::\*| \*)$/.exec(spec);
  return { words: (open?.[1] ?? spec).trim().split(/\s+/), open: open !== null };
}
