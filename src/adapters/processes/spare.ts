// What an unconfined command is kept from changing: found as it stands when the command starts, and made where it must not
// appear by a command's hand.
import { realpathSync, rmdirSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolders } from "../folders/make-folders.ts";
import type { Spared } from "../../ports/processes.ts";

/** Real paths, all of which exist. */
export type Spare = { readonly keep: readonly string[]; readonly except: readonly string[] };

export type Sparing = {
  now(spared: Spared): Spare;
  /** Takes away what was made and is still empty. */
  close(): void;
};

export function createSparing(): Sparing {
  const made: { readonly path: string; readonly top: string }[] = [];
  const make = (path: string): void => {
    try {
      const top = makeFolders(path, 0o700);
      if (top !== undefined) made.push({ path, top });
    } catch {
      // Where we cannot make it, a command cannot either.
    }
  };
  return {
    now({ keep, bar, except }) {
      for (const path of bar) if (realOf(path) === undefined) make(path);
      return { keep: existing([...keep, ...bar]), except: existing(except) };
    },
    close() {
      for (const { path, top } of made.splice(0)) removeEmpty(path, top);
    },
  };
}

function removeEmpty(path: string, top: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Somebody has use for it.
    return;
  }
  if (path !== top) removeEmpty(dirname(path), top);
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
