// Whether a person's rule for commands reaches one part of a command: to allow, whole; to deny, as far as it may.
import type { ShellPart } from "./shell-reading.ts";
import { startsArguments } from "./starts-arguments.ts";
import { GIT_VERBS } from "./git-verbs.ts";
import { nameOf } from "./unwrap.ts";

/** `git log:*` and `git log *` cover `git log` and what follows it; any other words are exactly these. */
export function coversPart(spec: string, part: ShellPart): boolean {
  if (part.sets.length > 0 || part.opaque !== undefined) return false;
  const { words, open } = wordsOf(spec);
  if (open ? part.words.length < words.length : part.words.length !== words.length) return false;
  return words.length > 0 && words.every((word, at) => part.words[at] === word);
}

/** Whether a rule that denies reaches a part: the program itself, or what it may start. */
export function reachesPart(spec: string, part: ShellPart): boolean {
  const rule = wordsOf(spec).words;
  if (standsAt(rule, part.words, 0) || mayBeGitVerb(rule, part)) return true;
  const { carried } = part;
  if (carried && (carried.unread !== undefined || carried.parts.some((one) => reachesPart(spec, one)))) return true;
  const starts = startsArguments(part);
  if (starts === "nothing") return false;
  if (starts === "any" && part.words.includes(null)) return true;
  if (part.sets.length > 0 && standsIn(rule, part.text)) return true;
  return part.words.some(
    (word, at) => at > 0 && word !== null && (standsAt(rule, part.words, at) || standsIn(rule, word)),
  );
}

/** Options before what a program is to do; more than that nobody writes, and they could be anything. */
const MOST_OPTIONS = 50;

/**
 * A program counts wherever it is kept, a word that is not known yet may be any word, and options may come before what
 * the program is to do: `git -C . push` is `git push`.
 */
function standsAt([program, ...words]: readonly string[], given: ShellPart["words"], first: number): boolean {
  const name = given[first];
  if (program === undefined || name === undefined) return false;
  if (name !== null && name !== program && nameOf(name) !== program) return false;
  const follow = (at: number): boolean => words.every((word, n) => given[at + n] === null || given[at + n] === word);
  const isOption = (word: string | null | undefined): boolean => word?.startsWith("-") ?? false;
  for (let at = first + 1; at <= given.length; at++) {
    if (follow(at) || at - first > MOST_OPTIONS) return true;
    if (!isOption(given[at]) && !(at > first + 1 && isOption(given[at - 1]))) return false;
  }
  return false;
}

/** Whether the words of a rule stand in a text that a program may take for a command: `script -c 'rm x'`, `--exec=rm`. */
function standsIn(rule: readonly string[], text: string): boolean {
  const joined = text.replace(/['"\\]/g, "");
  return isAmong(rule, text) || (joined !== text && isAmong(rule, joined));
}

function isAmong(rule: readonly string[], text: string): boolean {
  if (rule[0] === undefined || !text.includes(rule[0])) return false;
  const tokens = text.split(/[^A-Za-z0-9_.:@%+~/-]+/).filter((token) => token !== "");
  const joined = tokens.map((token) => token.replace(/^-[a-zA-Z](?=.)/, ""));
  return tokens.some((_, at) => standsAt(rule, tokens, at)) || joined.some((_, at) => standsAt(rule, joined, at));
}

/** Where a rule is about a verb of git, a verb that git does not have may be another name for it. */
function mayBeGitVerb([program, wanted]: readonly string[], { words }: ShellPart): boolean {
  if (program !== "git" || wanted === undefined || nameOf(words[0]) !== "git") return false;
  const args = words.slice(1);
  if (args.some((word) => word !== null && /^(?:-c|--config-env=)?alias\./i.test(word))) return true;
  const at = args.findIndex((word, n) => word !== null && !word.startsWith("-") && !/^-[cC]$/.test(args[n - 1] ?? ""));
  return at >= 0 && !GIT_VERBS.has(args[at]!);
}

export function wordsOf(spec: string): { readonly words: readonly string[]; readonly open: boolean } {
  const open = /^(.+?)(?::\*| \*)$/.exec(spec);
  return { words: (open?.[1] ?? spec).trim().split(/\s+/), open: open !== null };
}
