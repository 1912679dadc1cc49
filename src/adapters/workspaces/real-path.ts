// The real path behind a name: links followed as far as the path exists; the rest is taken as written. `..` is taken as
// the system takes it, as the folder above the one that a link leads to.
import { readlink, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, normalize } from "node:path";

export async function realPath(path: string, hops = 0): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || dirname(path) === path) return normalize(path);
  }
  const target = hops < 40 ? await readlink(path).catch(() => undefined) : undefined;
  if (target !== undefined) return realPath(from(await realPath(dirname(path), hops), target), hops + 1);
  return join(await realPath(dirname(path), hops), basename(path));
}

/** Not yet normalized: what `..` means is known only when the links before it are followed. */
export const from = (folder: string, path: string): string => (isAbsolute(path) ? path : `${folder}/${path}`);
