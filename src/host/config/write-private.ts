// Writes a file of the person's own settings or state: whole or not at all, for its owner only.
import { randomUUID } from "node:crypto";
import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { HostError } from "../host-error.ts";

export function writePrivate(path: string, text: string): void {
  const folder = dirname(path);
  const fresh = join(folder, `.${randomUUID()}.new`);
  let begun = false;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new HostError(`${path} is a symbolic link: remove it first`, "failed");
    begun = true;
    writeFileSync(fresh, text, { mode: 0o600, flag: "wx", flush: true });
    renameSync(fresh, path);
  } catch (error) {
    if (begun) rmSync(fresh, { force: true });
    if (error instanceof HostError) throw error;
    throw new HostError(`${path} cannot be written: ${(error as Error).message}`, "failed");
  }
}
