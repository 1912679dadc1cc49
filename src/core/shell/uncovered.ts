// What of a command no rule covers, with the reason: a command may run unasked only when nothing is left.
import type { Reach } from "../permissions.ts";
import type { Rule } from "../rules.ts";
import { readOnlyPart } from "./read-only-part.ts";
import { coversPart } from "./rule-covers.ts";
import type { ShellPart } from "./shell-reading.ts";
import { nameOf } from "./unwrap.ts";

export type Cover = {
  /** Rules for the tool. */
  readonly rules: readonly Rule[];
  /** What only reads inside these folders needs no rule. */
  readonly readOnlyIn?: {
    readonly roots: readonly string[];
    readonly trusted: boolean;
    /** Some files are denied to reading. */
    readonly hidden?: boolean;
  };
};

/** undefined when everything is covered. */
export function uncovered(run: Extract<Reach, { may: "run" }>, { rules, readOnlyIn }: Cover): string | undefined {
  const { command, reading, reads = [] } = run;
  if (rules.some(({ spec }) => spec === undefined || spec === command)) return undefined;
  if (!reading) return "what it runs was not read";
  if (reading.doubt !== undefined) return reading.doubt;
  const [written] = reading.writes;
  if (written !== undefined) return `it writes ${written}`;
  if (reading.parts.length === 0) return "it runs no command";
  const isCovered = (part: ShellPart): boolean =>
    part.wraps === true || rules.some(({ spec }) => spec !== undefined && coversPart(spec, part));
  const left = reading.parts.filter((part) => !isCovered(part));
  const [first] = readOnlyIn ? left.filter((part) => !isReadOnly(part, readOnlyIn)) : left;
  if (first) return first.opaque ?? `no rule covers ${first.text}`;
  const moves = reading.parts.some(({ words }) => nameOf(words[0]) === "cd");
  if (readOnlyIn && moves && left.length + reading.reads.length > 0)
    return "it reads files after it changed the folder";
  const outside = readOnlyIn && reads.find((path) => !readOnlyIn.roots.some((root) => isInside(root, path)));
  return outside === undefined ? undefined : `it reads ${outside}, which is outside the workspace`;
}

function isReadOnly(part: ShellPart, { trusted, hidden }: NonNullable<Cover["readOnlyIn"]>): boolean {
  const found = readOnlyPart(part);
  if (found === undefined) return false;
  // git obeys the folder's configuration, which can name programs to run; and its history holds files of any name.
  return found.git === undefined || (trusted && !(hidden && found.git === "contents"));
}

const isInside = (root: string, path: string): boolean =>
  path === root || path.startsWith(root.endsWith("/") ? root : `${root}/`);
