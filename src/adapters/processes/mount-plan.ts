// What is mounted over a command's view of the files, in order: later ones lie over earlier ones. Pure; the strategies
// say it in their own words.
import { dirname } from "node:path";
import type { Spare } from "./spare.ts";

export type Mount = {
  /** `pin`: as it is, but a mount of its own, so that it can be neither moved away nor replaced. */
  readonly is: "pin" | "read-only" | "writable" | "empty" | "nothing";
  readonly path: string;
};

export function mountPlan({ keep, except, hide, mute, show, pins }: Spare): readonly Mount[] {
  const as =
    (is: Mount["is"]) =>
    (path: string): Mount => ({ is, path });
  return [
    ...pins.map(as("pin")),
    ...byDepth(keep).map(as("read-only")),
    ...byDepth(except).map(as("writable")),
    ...byDepth(hide).map(as("empty")),
    ...mute.map(as("nothing")),
    ...byDepth(show).map(as("writable")),
  ];
}

/**
 * All folders above these, the outermost first. A mount is lost with the folder it stands in: who moves that away and
 * makes it anew has all of it. What is itself a mount stays where it is.
 */
export function foldersAbove(paths: readonly string[]): readonly string[] {
  const above = (path: string): string[] => {
    const folder = dirname(path);
    return folder === path || folder === "/" ? [] : [...above(folder), folder];
  };
  return byDepth([...new Set(paths.flatMap(above))]);
}

const byDepth = (paths: readonly string[]): readonly string[] =>
  paths.toSorted((a, b) => a.split("/").length - b.split("/").length);
