// The real path behind a name: links followed as far as the path exists; the rest is taken as written.
import { readlink, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

export async function realPath(path: string, hops = 0): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || dirname(path) === path) return path;
  }
  const target = hops < 40 ? await readlink(path).catch(() => undefined) : undefined;
  if (target !== undefined) return realPath(resolve(dirname(path), target), hops + 1);
  return join(await realPath(dirname(path), hops), basename(path));
}
