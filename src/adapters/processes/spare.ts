// What an unconfined command is kept from changing: found as it stands when the command starts, and made where it must not
// appear by a command's hand.
import { realpathSync } from "node:fs";
import { makeFolders } from "../folders/make-folders.ts";
import type { Spared } from "../../ports/processes.ts";

/** Real paths, all of which exist. */
export type Spare = {
  readonly keep: readonly string[];
  readonly except: readonly string[];
  readonly hide: readonly string[];
};

/** Folders that were made stay: to take one away would let the commands of other processes make it anew. */
export function spareNow({ keep, bar, except, hide }: Spared): Spare {
  for (const path of bar) if (realOf(path) === undefined) make(path);
  return { keep: existing([...keep, ...bar]), except: existing(except), hide: existing(hide) };
}

function make(path: string): void {
  try {
    makeFolders(path, 0o700);
  } catch {
    // Where we cannot make it, a command cannot either.
  }
}

const existing = (paths: readonly string[]): string[] => [
  ...new Set(paths.map(realOf).filter((path) => path !== undefined)),
];

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
