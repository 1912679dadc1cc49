// What the commands that reach a run from another terminal have in common.
import { type Address, type Remote, createRemote } from "../../../host/control/remote.ts";
import { knownMask } from "../../../host/known-mask.ts";
import { type FlagTable, type Flags, readFlags } from "../flags.ts";
import { flagLines } from "../help.ts";
import { createOutput } from "../output.ts";
import { plainText } from "../plain-text.ts";
import { UsageError } from "../usage-error.ts";

export const sharedFlags = {
  json: { help: "for programs" },
  "state-dir": { takes: "text", value: "DIR", help: "where sessions are kept" },
  help: { short: "h", help: "this text" },
} as const satisfies FlagTable;

export const ID_HELP = `ID is a session (its id, the start of it, or "last": the newest of this project), a child in it (ID/ROOT::S1, ID/S1 or
ID/NAME), or a child's own id or name. See sous ps.`;

type Asked<T extends FlagTable> = {
  readonly flags: Flags<T> & Flags<typeof sharedFlags>;
  readonly words: readonly string[];
  readonly remote: Remote;
  say(line: string): void;
  /** Text of others as it may be shown. */
  readonly clean: (text: string) => string;
  /** A line whose text is clean already, and which may have colours. */
  print(line: string): void;
};

export type Verb<T extends FlagTable> = {
  readonly name: string;
  readonly flags: T;
  readonly help: string;
  readonly examples: readonly string[];
  run(asked: Asked<T>): Promise<number>;
};

/** A command of its own: help, flags and output as everywhere. */
export function command<const T extends FlagTable>(verb: Verb<T>) {
  const table = { ...verb.flags, ...sharedFlags };
  const help = (): string =>
    `${verb.help}\n\n${flagLines(table)}\n\nexamples\n${verb.examples.map((one) => `  ${one}`).join("\n")}`;
  return {
    flags: table as FlagTable,
    async start(words: readonly string[]): Promise<number> {
      const { flags, rest } = readFlags(verb.name, table, words);
      const output = createOutput(1);
      const mask = knownMask(process.env);
      const clean = (text: string): string => plainText(mask.text(text));
      const print = (line: string): void => output.prepared(line);
      const say = (line: string): void => print(clean(line));
      const stateDir = flags["state-dir"] as string | undefined;
      const remote = createRemote({ env: process.env, ...(stateDir !== undefined && { stateDir }) });
      const asked = { flags: flags as Asked<T>["flags"], words: rest, remote, say, clean, print };
      const code = flags["help"] ? (say(help()), 0) : await verb.run(asked);
      await output.drained();
      return code;
    },
  };
}

export async function agentOf(remote: Remote, verb: string, words: readonly string[]): Promise<Address> {
  const [id] = words;
  if (id === undefined || words.length > 1)
    throw new UsageError(`sous ${verb} needs one agent: its id, ID/PATH, its name, or "last" (see sous ps)`);
  return remote.find(id);
}
