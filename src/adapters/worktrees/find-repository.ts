// The repository a folder belongs to, found by looking at names only: nothing of it is run or obeyed.
import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

export type Repository = {
  /** Its work tree's top. */
  readonly top: string;
  /** Where its HEAD and index are. */
  readonly gitDir: string;
  /** What all its work trees share. */
  readonly common: string;
  readonly objects: string;
  readonly format: "sha1" | "sha256";
};

export async function findRepository(folder: string): Promise<Repository | undefined> {
  for (let top = folder; ; top = dirname(top)) {
    const gitDir = await gitDirOf(top);
    if (gitDir !== undefined) return describe(top, gitDir);
    if (dirname(top) === top) return undefined;
  }
}

/** `.git` is a folder, or a file that names one. */
async function gitDirOf(top: string): Promise<string | undefined> {
  const name = join(top, ".git");
  const found = await stat(name).catch(() => undefined);
  if (!found) return undefined;
  if (found.isDirectory()) return (await isThere(join(name, "HEAD"))) ? realpath(name) : undefined;
  const pointed = /^gitdir: (.+)$/m.exec(found.size < 4_096 ? await readFile(name, "utf8") : "")?.[1];
  return pointed === undefined ? undefined : realpath(resolve(top, pointed.trim())).catch(() => undefined);
}

async function describe(top: string, gitDir: string): Promise<Repository> {
  const common = await readFile(join(gitDir, "commondir"), "utf8").then(
    (path) => realpath(resolve(gitDir, path.trim())),
    () => gitDir,
  );
  const config = await readFile(join(common, "config"), "utf8").catch(() => "");
  const format = /^\s*objectformat\s*=\s*sha256\s*$/im.test(config) ? "sha256" : "sha1";
  return { top, gitDir, common, objects: join(common, "objects"), format };
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
