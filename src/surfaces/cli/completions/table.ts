// What can be completed, as data that each shell's script is made from.
import { type WordKind, type Words, commands } from "../commands.ts";
import type { FlagSpec } from "../flags.ts";

export type Values = { readonly are: "words"; readonly words: readonly string[] } | { readonly are: WordKind | "text" };
export type CompletedFlag = {
  /** With its dashes; the short form too. */
  readonly names: readonly string[];
  readonly help: string;
  /** Absent when it takes no value. */
  readonly values?: Values;
};
export type CompletedCommand = {
  readonly name: string;
  readonly help: string;
  readonly verbs: readonly string[];
  readonly words: readonly CompletedWord[];
  readonly flags: readonly CompletedFlag[];
};

export type CompletedWord = {
  /** Only after this verb. */
  readonly verb?: string;
  /** Its place on the line, where the command is 1. The last of several stands for all that follow. */
  readonly at: number;
  readonly isLast: boolean;
  readonly values: Values;
};

export async function completionTable(): Promise<readonly CompletedCommand[]> {
  const rows = Object.entries(commands).map(async ([name, command]) => {
    const { flags } = await command.load();
    return {
      name,
      help: command.help,
      verbs: command.verbs ?? [],
      words: wordsOf(command.words ?? [], (command.verbs ?? []).length > 0 ? 3 : 2),
      flags: Object.entries(flags).map(([flag, spec]) => completed(flag, spec)),
    };
  });
  const general = ["--help", "--version"].map((name) => ({
    name,
    help: "",
    verbs: [],
    words: [],
    flags: [],
  }));
  return [...(await Promise.all(rows)), ...general];
}

function wordsOf(words: Words | Readonly<Record<string, Words>>, first: number): CompletedWord[] {
  if (!isList(words))
    return Object.entries(words).flatMap(([verb, own]) => wordsOf(own, first).map((one) => ({ ...one, verb })));
  return words.map((word, at) => ({
    at: first + at,
    isLast: at === words.length - 1,
    values: typeof word === "string" ? { are: word } : { are: "words", words: word },
  }));
}

const isList = (words: Words | Readonly<Record<string, Words>>): words is Words => Array.isArray(words);

function completed(name: string, spec: FlagSpec): CompletedFlag {
  const names = [`--${name}`, ...(spec.short ? [`-${spec.short}`] : [])];
  return { names, help: spec.help, ...(spec.takes && { values: valuesOf(name, spec) }) };
}

function valuesOf(name: string, { takes, value }: FlagSpec): Values {
  if (typeof takes === "object") return { are: "words", words: takes };
  if (value === "DIR") return { are: "folders" };
  if (value === "FILE") return { are: "files" };
  return { are: LOOKED_UP[name] ?? "text" };
}

const LOOKED_UP: Readonly<Record<string, WordKind>> = { resume: "sessions", agent: "agents", model: "models" };

/** How every script gets what only this person's state knows: a word, a tab, what it is about. */
export const WORDS_OF = "sous completions words";

/** The words of each verb, in their order; one entry without a verb for a command that has none. */
export function perVerb(words: readonly CompletedWord[]): [string | undefined, CompletedWord[]][] {
  const found = new Map<string | undefined, CompletedWord[]>();
  for (const word of words) found.set(word.verb, [...(found.get(word.verb) ?? []), word]);
  return [...found];
}
