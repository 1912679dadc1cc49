// What can be completed, as data that each shell's script is made from.
import { commands } from "../commands.ts";
import type { FlagSpec } from "../flags.ts";

export type Values =
  | { readonly are: "words"; readonly words: readonly string[] }
  | { readonly are: "folders" | "files" | "sessions" | "text" };
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
  readonly words: "sessions" | "folders" | "none";
  readonly flags: readonly CompletedFlag[];
};

export async function completionTable(): Promise<readonly CompletedCommand[]> {
  const rows = Object.entries(commands).map(async ([name, command]) => {
    const { flags } = await command.load();
    return {
      name,
      help: command.help,
      verbs: command.verbs ?? [],
      words: command.words ?? ("none" as const),
      flags: Object.entries(flags).map(([flag, spec]) => completed(flag, spec)),
    };
  });
  const general = ["--help", "--version"].map((name) => ({
    name,
    help: "",
    verbs: [],
    words: "none" as const,
    flags: [],
  }));
  return [...(await Promise.all(rows)), ...general];
}

function completed(name: string, spec: FlagSpec): CompletedFlag {
  const names = [`--${name}`, ...(spec.short ? [`-${spec.short}`] : [])];
  return { names, help: spec.help, ...(spec.takes && { values: valuesOf(name, spec) }) };
}

function valuesOf(name: string, { takes, value }: FlagSpec): Values {
  if (typeof takes === "object") return { are: "words", words: takes };
  if (value === "DIR") return { are: "folders" };
  if (value === "FILE") return { are: "files" };
  return { are: name === "resume" ? "sessions" : "text" };
}

/** How every script gets the ids: a title cannot look like one, because its quotes are escaped. */
export const SESSION_IDS = `sous sessions list --json 2>/dev/null | grep -o '"id":"agent-[0-9a-f-]*"' | cut -d'"' -f4`;
