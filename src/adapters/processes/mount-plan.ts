// What is mounted over a command's view of the files, in order: later ones lie over earlier ones. The strategies say it in
// their own words. There is one order for all that a command is held to: whatever stands deeper counts, and what is hidden
// is hidden whatever lies above it.
import { dirname } from "node:path";
import type { Confinement } from "../../ports/processes.ts";
import { type Spare, isMovable } from "./spare.ts";

export type Mount = {
  /** `pin`: as it is, but a mount of its own, so that it can be neither moved away nor replaced. */
  readonly is: "pin" | "read-only" | "writable" | "empty" | "nothing";
  readonly path: string;
};

/** With a list of writable folders everything else is read-only already, and has a /tmp of its own. */
export function mountPlan(spare: Spare, confine?: Omit<Confinement, "network">): readonly Mount[] {
  const places = byDepth(placesOf(spare, confine), ({ path }) => path);
  const isWritable = (path: string): boolean => {
    const over = places.findLast((place) => isAtOrIn(path, place.path));
    return over ? over.is === "writable" : !confine?.write;
  };
  const guarded = [...places.map(({ path }) => path), ...spare.hide, ...spare.mute];
  // What stands in a read-only folder stays where it is; a pin there would make it writable.
  const isLoose = (path: string): boolean => isWritable(path) && isWritable(dirname(path)) && isMovable(path);
  const pins = foldersAbove(guarded).filter(isLoose).map(as("pin"));
  return [
    ...byDepth([...pins, ...places], ({ path }) => path),
    ...byDepth(spare.hide, (path) => path).map(as("empty")),
    ...spare.mute.map(as("nothing")),
    // What listens for keys and containers would do outside of a sandbox what it keeps a command from.
    ...(confine?.write ? [] : byDepth(spare.show, (path) => path).map(as("writable"))),
  ];
}

/** Of two for one path, the later counts. */
function placesOf({ keep, except }: Spare, confine: Omit<Confinement, "network"> | undefined): readonly Mount[] {
  const { write, protect = [], except: own = [] } = confine ?? {};
  const inAny = (path: string, folders: readonly string[]): boolean => folders.some((one) => isAtOrIn(path, one));
  return [
    ...keep.filter((path) => !write || inAny(path, write)).map(as("read-only")),
    ...except.filter((path) => !write && !inAny(path, protect)).map(as("writable")),
    ...protect.map(as("read-only")),
    ...[...(write ?? []), ...own].map(as("writable")),
  ];
}

const as =
  (is: Mount["is"]) =>
  (path: string): Mount => ({ is, path });

const isAtOrIn = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);

/**
 * All folders above these. A mount is lost with the folder it stands in: who moves that away and makes it anew has all of
 * it. What is itself a mount stays where it is.
 */
function foldersAbove(paths: readonly string[]): readonly string[] {
  const above = (path: string): string[] => {
    const folder = dirname(path);
    return folder === path || folder === "/" ? [] : [...above(folder), folder];
  };
  return [...new Set(paths.flatMap(above))];
}

/** The outermost first. */
const byDepth = <T>(all: readonly T[], pathOf: (one: T) => string): readonly T[] =>
  all.toSorted((a, b) => pathOf(a).split("/").length - pathOf(b).split("/").length);
