// Reads a command's words against its table of flags. What is unknown or malformed is said in one line, with the
// nearest word; text after `--` is never taken for a flag.
import { parseArgs } from "node:util";
import { nearest } from "../../std/nearest.ts";
import { UsageError } from "./usage-error.ts";

export type FlagSpec = {
  readonly takes?: "text" | "number" | "whole number" | readonly string[];
  readonly short?: string;
  readonly many?: boolean;
  /** Shown for its value in the help. */
  readonly value?: string;
  readonly help: string;
};
export type FlagTable = Readonly<Record<string, FlagSpec>>;

type ValueOf<Takes> = Takes extends "number" | "whole number"
  ? number
  : Takes extends readonly (infer Choice)[]
    ? Choice
    : string;
export type Flags<T extends FlagTable> = {
  -readonly [K in keyof T]?: T[K] extends { many: true }
    ? string[]
    : T[K] extends { takes: infer Takes }
      ? ValueOf<Takes>
      : boolean;
};

export function readFlags<const T extends FlagTable>(
  command: string,
  table: T,
  words: readonly string[],
): { flags: Flags<T>; rest: string[] } {
  const options = Object.fromEntries(
    Object.entries(table).map(([name, spec]) => [
      name,
      {
        type: spec.takes ? ("string" as const) : ("boolean" as const),
        multiple: spec.many ?? false,
        ...(spec.short && { short: spec.short }),
      },
    ]),
  );
  const { tokens } = parseArgs({ args: [...words], options, strict: false, allowPositionals: true, tokens: true });
  const flags: Record<string, unknown> = {};
  const rest: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") rest.push(token.value);
    if (token.kind !== "option") continue;
    const spec = table[token.name];
    if (!spec) throw new UsageError(unknown(command, token.rawName, Object.keys(table)));
    const value = valueOf(token.rawName, spec, token.value, token.inlineValue ?? false);
    if (!spec.many) flags[token.name] = value;
    else flags[token.name] = [...((flags[token.name] as unknown[] | undefined) ?? []), value];
  }
  return { flags: flags as Flags<T>, rest };
}

function unknown(command: string, word: string, known: readonly string[]): string {
  // What most commands call --json is one of several forms here.
  if (word === "--json" && known.includes("output")) return `sous ${command} has no flag --json: it is --output json`;
  const close = nearest(word.replace(/^-+/, ""), known);
  const name = command === "" ? "sous" : `sous ${command}`;
  return `${name} has no flag ${word}${close ? `; did you mean --${close}?` : ""} (see ${name} --help)`;
}

function valueOf(name: string, spec: FlagSpec, value: string | undefined, inline: boolean): unknown {
  if (!spec.takes) {
    if (inline) throw new UsageError(`${name} takes no value`);
    return true;
  }
  if (value === undefined || (!inline && value.startsWith("-") && value.length > 1 && Number.isNaN(Number(value))))
    throw new UsageError(`${name} needs a value${spec.value ? `: ${name} ${spec.value}` : ""}`);
  if (typeof spec.takes === "object") {
    if (!spec.takes.includes(value)) throw new UsageError(`${name} is one of ${spec.takes.join(", ")}; got "${value}"`);
    return value;
  }
  if (spec.takes === "text") return value;
  const number = value.trim() === "" ? NaN : Number(value);
  const fits =
    spec.takes === "whole number" ? Number.isSafeInteger(number) && number > 0 : Number.isFinite(number) && number > 0;
  if (!fits) throw new UsageError(`${name} needs a ${spec.takes} above 0; got "${value}"`);
  return number;
}
