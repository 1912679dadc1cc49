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

/** A program counts wherever it stands, and a word that is not known yet may be any word. */
export function reachesPart(spec: string, part: ShellPart): boolean {
  const { words, open } = wordsOf(spec);
  if (words.length === 0 || (!open && part.words.length < words.length)) return false;
  return words.every((word, at) => {
    const given = part.words[at];
    if (given === undefined) return false;
    return given === null || given === word || (at === 0 && nameOf(given) === word);
  });
}

export function wordsOf(spec: string): { readonly words: readonly string[]; readonly open: boolean } {
  const open = /^(.+?)(?::\*| \*)$/.exec(spec);
  return { words: (open?.[1] ?? spec).trim().split(/\s+/), open: open !== null };
}
