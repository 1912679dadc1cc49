// Makes a folder with those above it. Node's own way of doing so never ends where the kernel refuses names, as in /proc.
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";

/** The first one that was made; undefined when it was there. */
export function makeFolders(path: string, mode: number): string | undefined {
  try {
    mkdirSync(path, { mode });
    return path;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return undefined;
    if (code !== "ENOENT" || dirname(path) === path) throw error;
    const top = makeFolders(dirname(path), mode);
    mkdirSync(path, { mode });
    return top ?? path;
  }
}
