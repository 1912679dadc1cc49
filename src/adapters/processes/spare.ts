// What a command is kept from changing or reaching: found as it stands when the command starts, and made where
// it must not appear by a command's hand.
import { accessSync, constants, lstatSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolders } from "../folders/make-folders.ts";
import type { Confinement, Spared } from "../../ports/processes.ts";

/** Real paths, all of which exist. */
export type Spare = {
  readonly keep: readonly string[];
  readonly except: readonly string[];
  /** Folders that are empty for it. */
  readonly hide: readonly string[];
  /** Files and sockets that are nothing for it. */
  readonly mute: readonly string[];
  /** What of the hidden is there all the same. */
  readonly show: readonly string[];
};

export const NOTHING_SPARED: Spare = { keep: [], except: [], hide: [], mute: [], show: [] };

/** Folders that were made stay: to take one away would let the commands of other processes make it anew. */
export function spareNow({ keep, bar, except, hide, show = [] }: Spared): Spare {
  for (const path of bar) if (realOf(path) === undefined) make(path);
  const kept = existing([...keep, ...bar]);
  const found = existing(hide);
  const hidden = found.filter((path) => !found.some((other) => path.startsWith(`${other}/`)));
  const folders = hidden.filter(isFolder);
  const mute = hidden.filter((path) => !isFolder(path));
  return {
    keep: kept,
    except: existing(except),
    hide: folders,
    mute,
    show: existing(show),
  };
}

/** The same confinement by real paths: a mount lies on what a link leads to. */
export function realConfinement({ write, protect, except, network }: Confinement): Confinement {
  const real = (paths: readonly string[]): string[] => paths.map((path) => realOf(path) ?? path);
  return {
    ...(write && { write: real(write) }),
    protect: real(protect),
    ...(except && { except: real(except) }),
    network,
  };
}

/** Only who can write in the folder above, or can make it writable, can give a folder another name. */
export function isMovable(folder: string): boolean {
  try {
    const above = dirname(folder);
    if (statSync(above).uid === process.getuid?.()) return true;
    accessSync(above, constants.W_OK);
    return true;
  } catch {
    return false;
  }
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

const isFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
