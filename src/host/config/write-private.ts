// Writes a file of the person's own settings or state: whole or not at all, for its owner only.
import { randomUUID } from "node:crypto";
import { lstatSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolders } from "../../adapters/folders/make-folders.ts";
import { HostError } from "../host-error.ts";

export function writePrivate(path: string, text: string): void {
  const folder = dirname(path);
  const fresh = join(folder, `.${randomUUID()}.new`);
  let begun = false;
  try {
    makeFolders(folder, 0o700);
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new HostError(`${path} is a symbolic link: remove it first`, "failed");
    begun = true;
    writeFileSync(fresh, text, { mode: 0o600, flag: "wx", flush: true });
    renameSync(fresh, path);
  } catch (error) {
    if (begun) rmSync(fresh, { force: true });
    if (error instanceof HostError) throw error;
    const { code = (error as Error).message } = error as NodeJS.ErrnoException;
    throw new HostError(`${path} cannot be written (${REASONS[code] ?? code}): ${remedyFor(path)}`, "failed");
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  ENOENT: "its folder cannot be made",
  ENOTDIR: "a part of the way is not a folder",
};

/** Settings and state have places of their own. */
const remedyFor = (path: string): string => {
  const variable = /\/(config|keys)\.json$/.test(path) ? "XDG_CONFIG_HOME" : "SOUS_STATE_DIR";
  return `make ${dirname(path)} writable, or set HOME or ${variable} to a folder that is`;
};
