// What of a command no rule covers, with the reason: a command may run unasked only when nothing is left.
import { type GrantPlace, grantCovers } from "../grants/grant-covers.ts";
import { neverGranted } from "../grants/never-granted.ts";
import type { Reach } from "../permissions.ts";
import type { Rule } from "../rules.ts";
import { readOnlyPart } from "./read-only-part.ts";
import { coversPart } from "./rule-covers.ts";
import type { ShellPart, ShellReading } from "./shell-reading.ts";
import { nameOf } from "./unwrap.ts";

export type Cover = {
  /** Rules for the tool. */
  readonly rules: readonly Rule[];
  /** What the person has allowed for good: it covers less than a rule does. */
  readonly grants?: GrantPlace & { readonly rules: readonly Rule[] };
  /** What only reads inside these folders needs no rule. */
  readonly readOnlyIn?: {
    readonly roots: readonly string[];
    /** The folder's own configuration may act, and what grants are for. */
    readonly trusted: boolean;
    /** Some files are denied to reading. */
    readonly hidden?: boolean;
    /** The one repository that git may read unasked, by the top of its work tree; left out, none. */
    readonly repository?: { readonly top: string };
  };
};

/** undefined when everything is covered. */
export function uncovered(run: Extract<Reach, { may: "run" }>, cover: Cover): string | undefined {
  const { rules, readOnlyIn } = cover;
  const { command, reading, reads = [] } = run;
  if (rules.some(({ spec }) => spec === undefined || spec === command)) return undefined;
  if (!reading) return "what it runs was not read";
  if (reading.doubt !== undefined) return reading.doubt;
  const [written] = reading.writes;
  if (written !== undefined) return `it writes ${written}`;
  if (reading.parts.length === 0) return "it runs no command";
  const [first] = leftParts(reading, cover);
  if (first) return first.opaque ?? `no rule covers ${first.text}`;
  // Where everything may be read, everything may be shown.
  const isHeld = readOnlyIn !== undefined && !readOnlyIn.roots.includes("/");
  if (isHeld && reading.reveals !== undefined && notCovered(reading, cover).length > 0) return reading.reveals;
  if (readOnlyIn && moves(reading) && notCovered(reading, cover).length + reading.reads.length > 0)
    return "it reads files after it changed the folder";
  const outside = readOnlyIn && reads.find((path) => !readOnlyIn.roots.some((root) => isInside(root, path)));
  return outside === undefined ? undefined : `it reads ${outside}, which is outside the workspace`;
}

/** The parts that neither a rule covers nor are known to only read. */
export function leftParts(reading: ShellReading, cover: Cover): readonly ShellPart[] {
  const { readOnlyIn } = cover;
  const left = notCovered(reading, cover);
  if (!readOnlyIn) return left;
  // Held to its repository is a whole command that only reads: beside a part that does more, git would not be.
  const held = reading.inert !== undefined && reading.parts.every((part) => readOnlyPart(part) !== undefined);
  return left.filter((part) => !isReadOnly(part, readOnlyIn, held));
}

/** Whether what comes later may run in another folder. */
export const moves = ({ parts }: ShellReading): boolean =>
  parts.some(({ words }) => ["cd", "pushd", "popd"].includes(nameOf(words[0]) ?? ""));

function notCovered(reading: ShellReading, { rules, grants, readOnlyIn }: Cover): readonly ShellPart[] {
  // A grant is for a command in its project, not for one that runs somewhere else.
  const granted = moves(reading) ? undefined : grants;
  const isGranted = (part: ShellPart): boolean =>
    granted !== undefined &&
    granted.rules.some((rule) => grantCovers(rule, part, granted)) &&
    beyondGrants(part, readOnlyIn) === undefined;
  return reading.parts.filter(
    (part) =>
      part.wraps !== true &&
      !rules.some(({ spec }) => spec !== undefined && coversPart(spec, part)) &&
      !isGranted(part),
  );
}

/** Why no grant covers a part, whatever it says; undefined where one may. */
export function beyondGrants(part: ShellPart, readOnlyIn: Cover["readOnlyIn"]): string | undefined {
  const program = nameOf(part.words[0]);
  if (part.opaque !== undefined) return part.opaque;
  if (part.sets.length > 0) return `it sets ${part.sets.join(", ")}, and a variable can change what a program does`;
  if (part.fed) return `${program} is given something to read, which for some programs is a script`;
  if (program === "sous") return "sous can change what is allowed";
  const never = neverGranted(part);
  if (never !== undefined) return `${never}, so a rule for it would allow any code`;
  if (program !== "git") return undefined;
  if (!readOnlyIn?.trusted) return "git obeys the configuration of this folder, which is not trusted (sous trust)";
  const shows = readOnlyIn.hidden && readOnlyPart(part)?.git === "contents";
  return shows ? "it may show files that a rule denies to Read" : undefined;
}

function isReadOnly(part: ShellPart, where: NonNullable<Cover["readOnlyIn"]>, held: boolean): boolean {
  const found = readOnlyPart(part);
  if (found?.git === undefined) return found !== undefined;
  const { repository, hidden, roots } = where;
  if (!repository || !held) return false;
  // Its history holds files of any name, and of the whole work tree.
  return found.git === "names" || (!hidden && roots.some((root) => isInside(root, repository.top)));
}

const isInside = (root: string, path: string): boolean =>
  path === root || path.startsWith(root.endsWith("/") ? root : `${root}/`);
