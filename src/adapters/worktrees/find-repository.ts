// The repository a folder belongs to, found by looking at names only: nothing of it is run or obeyed.
import { realpath, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { readSmallText } from "../files/read-bounded.ts";

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
  if (found.isDirectory()) return (await isFile(join(name, "HEAD"))) ? realpath(name) : undefined;
  const pointed = /^gitdir: (.+)$/m.exec((await readSmallText(name, { most: MOST_PATH })) ?? "")?.[1];
  const gitDir =
    pointed === undefined ? undefined : await realpath(resolve(top, pointed.trim())).catch(() => undefined);
  return gitDir !== undefined && (await isFile(join(gitDir, "HEAD"))) ? gitDir : undefined;
}

async function describe(top: string, gitDir: string): Promise<Repository> {
  const shared = await readSmallText(join(gitDir, "commondir"), { most: MOST_PATH });
  const common = shared === undefined ? gitDir : await realpath(resolve(gitDir, shared.trim()));
  const config = (await readSmallText(join(common, "config"), { most: MOST_CONFIG })) ?? "";
  const format = /^\s*objectformat\s*=\s*sha256\s*$/im.test(config) ? "sha256" : "sha1";
  return { top, gitDir, common, objects: join(common, "objects"), format };
}

const MOST_PATH = 8 * 1024;
const MOST_CONFIG = 1024 * 1024;

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
