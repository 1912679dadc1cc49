// The real path behind a name: links followed as far as the path exists; the rest is taken as written. `..` is taken as
// the system takes it, as the folder above the one that a link leads to.
import { lstatSync } from "node:fs";
import { readlink, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, normalize } from "node:path";

export async function realPath(path: string, hops = 0): Promise<string> {
  if (isReal(path)) return path;
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || dirname(path) === path) return normalize(path);
  }
  const target = hops < 40 ? await readlink(path).catch(() => undefined) : undefined;
  if (target !== undefined) return realPath(from(await realPath(dirname(path), hops), target), hops + 1);
  return join(await realPath(dirname(path), hops), basename(path));
}

/**
 * A path that exists and has no link in it is its own real path. Most are: seeing that takes a few microseconds, while a
 * way through the thread pool may take longer than all the rest of a judgement. Elsewhere names may have other spellings.
 */
function isReal(path: string): boolean {
  if (process.platform !== "linux" || !isAbsolute(path) || /\/\.{0,2}(\/|$)/.test(path)) return false;
  try {
    for (let end = path.indexOf("/", 1); end > 0; end = path.indexOf("/", end + 1))
      if (lstatSync(path.slice(0, end)).isSymbolicLink()) return false;
    return !lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** Not yet normalized: what `..` means is known only when the links before it are followed. */
export const from = (folder: string, path: string): string => (isAbsolute(path) ? path : `${folder}/${path}`);
