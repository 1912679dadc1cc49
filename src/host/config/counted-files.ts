// Which of a trusted project's files count: all that are as the person saw them. One that has changed is held back with
// its reason and the others go on; so is what names a script that has changed.
import { type ActingFile, type ActingFiles, actingFiles } from "./acting-files.ts";
import type { Difference, Trust } from "./trust.ts";

export type Counted = {
  readonly acting: ActingFiles;
  /** Why a file does not count, by its path from the root. */
  readonly held: ReadonlyMap<string, string>;
  readonly differences: readonly Difference[];
};

/** `forOnce`: the person trusts it as it is now. */
export function countedFiles(known: Trust, root: string, cwd: string, forOnce: boolean): Counted {
  const none: Counted = { acting: {}, held: new Map(), differences: [] };
  if (forOnce) return { ...none, acting: known.is === "not trusted" ? actingFiles(root, cwd) : known.acting };
  if (known.is === "not trusted") return none;
  if (known.is === "trusted") return { ...none, acting: known.acting };
  const { acting, differences } = known;
  const changed = new Map(differences.map((one) => [one.path, `${one.path} ${becauseOf(one)}`]));
  const held = new Map([
    ...changed,
    ...Object.entries(acting).flatMap(([path, file]) => throughScript(path, file, changed)),
  ]);
  return {
    acting: Object.fromEntries(Object.entries(acting).filter(([path]) => !isHeld(held, path))),
    held,
    differences,
  };
}

/** A folder of which not all is known is held back with all in it. */
export const isHeld = (held: ReadonlyMap<string, string>, path: string): boolean =>
  held.has(path) || [...held.keys()].some((one) => path.startsWith(`${one}/`));

/** Of agents only: settings have hooks that name other scripts, too. */
function throughScript(
  path: string,
  { scripts = [] }: ActingFile,
  changed: ReadonlyMap<string, string>,
): [string, string][] {
  const script = scripts.find((one) => changed.has(one));
  return script === undefined || changed.has(path) || path.endsWith("config.json") || /\/settings[^/]*$/.test(path)
    ? []
    : [[path, `${path} names ${script}, which has changed`]];
}

function becauseOf({ was, now, unrecorded }: Difference): string {
  if (unrecorded) return "was not recorded when you trusted it";
  if (was === undefined) return "is new";
  return now === undefined ? "is gone" : "has changed";
}
