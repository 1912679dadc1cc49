// `sous completions`: a script for the person's shell, made from the tables of commands and flags.
import { bashCompletions } from "./completions/bash.ts";
import { fishCompletions } from "./completions/fish.ts";
import { completionTable } from "./completions/table.ts";
import { KINDS, completionWords } from "./completions/words.ts";
import { zshCompletions } from "./completions/zsh.ts";
import { nearest } from "../../std/nearest.ts";
import { type FlagTable, readFlags } from "./flags.ts";
import { flagLines } from "./help.ts";
import { createOutput } from "./output.ts";
import { UsageError } from "./usage-error.ts";

export const completionsFlags = { help: { short: "h", help: "this text" } } as const satisfies FlagTable;

const SHELLS = { bash: bashCompletions, zsh: zshCompletions, fish: fishCompletions } as const;

const help = `sous completions bash|zsh|fish: completion of commands, flags, values, sessions, agents, models and what
waits in the inbox; zsh and fish show what each is about

${flagLines(completionsFlags)}

to install it
  bash   echo 'source <(sous completions bash)' >> ~/.bashrc
  zsh    sous completions zsh > "\${fpath[1]}/_sous"          (then start a new shell)
  fish   sous completions fish > ~/.config/fish/completions/sous.fish`;

export async function completions(words: readonly string[]): Promise<number> {
  const { flags, rest } = readFlags("completions", completionsFlags, words);
  const output = createOutput(1);
  const [shell] = rest;
  const kind = KINDS.find((one) => shell === "words" && one === rest[1]);
  if (flags.help) output.line(help);
  // The scripts ask this.
  else if (kind) for (const line of await completionWords(kind, rest[2] ?? "")) output.line(line);
  else if ((shell === "bash" || shell === "zsh" || shell === "fish") && rest.length === 1)
    output.prepared(SHELLS[shell](await completionTable()));
  else {
    const close = shell === undefined ? undefined : nearest(shell, Object.keys(SHELLS));
    const got = shell === undefined ? "" : `; there is none for "${rest.join(" ")}"`;
    throw new UsageError(`sous completions takes bash, zsh or fish${got}${close ? `; did you mean ${close}?` : ""}`);
  }
  await output.drained();
  return 0;
}
