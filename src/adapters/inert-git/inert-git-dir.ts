// A git folder of our own over a pinned repository: its objects, refs and index by links, and none of its configuration,
// hooks or drivers. What git is told by it is all that git obeys.
import { lstat, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readSmallText } from "../files/read-bounded.ts";
import { copyExclude } from "../worktrees/copy-exclude.ts";
import { runGit } from "../worktrees/run-git.ts";
import { type PinnedRepository } from "./pin-repository.ts";
import { takenConfig } from "./taken-config.ts";

export type InertGitDir = {
  /** What a command's environment has, so that every git in it uses it. */
  readonly env: Readonly<Record<string, string>>;
  /** What such a command reads besides its workspace. */
  readonly readable: readonly string[];
  remove(): Promise<void>;
};

/** `folder`: where such folders stand, out of the reach of agents. */
export function inertGitDirs(repository: PinnedRepository, folder: string): { make(): Promise<InertGitDir> } {
  let known: { readonly stamp: string; readonly config: string } | undefined;

  /** Read anew only where it has changed. */
  async function config(): Promise<string> {
    const path = join(repository.common, "config");
    const found = await stat(path, { bigint: true }).catch(() => undefined);
    const stamp = found?.isFile() ? `${found.ino} ${found.mtimeNs} ${found.size}` : "none";
    if (known?.stamp === stamp) return known.config;
    const args = ["config", "--file", path, "--no-includes", "-z", "--list"];
    const listed = stamp === "none" ? "" : (await runGit({ args, cwd: folder })).toString("utf8");
    known = { stamp, config: takenConfig(listed) };
    return known.config;
  }

  return {
    async make() {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const gitDir = await mkdtemp(join(folder, "git-"));
      const remove = (): Promise<void> => rm(gitDir, { recursive: true, force: true });
      try {
        await layOut(repository, gitDir, await config());
      } catch (error) {
        await remove();
        throw error;
      }
      const { top, gitDir: real, common, alternates } = repository;
      return {
        env: { ...ENVIRONMENT, GIT_DIR: gitDir, GIT_WORK_TREE: top },
        remove,
        readable: [gitDir, top, real, common, ...alternates],
      };
    },
  };
}

const ENVIRONMENT = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_PAGER: "cat",
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "safe.bareRepository",
  GIT_CONFIG_VALUE_0: "explicit",
} as const;

async function layOut({ gitDir: from, common, objects }: PinnedRepository, to: string, config: string): Promise<void> {
  const head = await readSmallText(join(from, "HEAD"), { most: MOST_HEAD, noLink: true });
  if (head === undefined || !HEAD.test(head)) throw new Error(`${join(from, "HEAD")} names no branch and no commit`);
  await Promise.all([mkdir(join(to, "info")), mkdir(join(to, "logs"))]);
  const parts = (await readdir(from)).filter((name) => /^sharedindex\.[0-9a-f]+$/.test(name));
  await Promise.all([
    writeFile(join(to, "HEAD"), head),
    writeFile(join(to, "config"), config),
    copyExclude(common, to),
    symlink(objects, join(to, "objects")),
    ...["refs", "reftable"].map((name) => link(join(common, name), join(to, name), "folder")),
    ...["packed-refs", "shallow"].map((name) => link(join(common, name), join(to, name), "file")),
    ...["index", ...parts].map((name) => link(join(from, name), join(to, name), "file")),
    link(join(from, "logs", "HEAD"), join(to, "logs", "HEAD"), "file"),
    link(join(common, "logs", "refs"), join(to, "logs", "refs"), "folder"),
    ...UNDER_WAY.map((name) => copyIds(join(from, name), join(to, name))),
  ]);
}

const HEAD = /^(?:ref: refs\/[^\s\0]+|[0-9a-f]{40}|[0-9a-f]{64})\n?$/;
const MOST_HEAD = 4_096;
/** What is told of a merge or the like that is not finished. */
const UNDER_WAY = ["ORIG_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD"];

/** Only what it should be: git would wait for a pipe, and tell lines of another file. */
async function link(target: string, path: string, kind: "file" | "folder"): Promise<void> {
  const found = await lstat(target).catch(() => undefined);
  if (kind === "file" ? found?.isFile() : found?.isDirectory()) await symlink(target, path);
}

async function copyIds(from: string, to: string): Promise<void> {
  const text = await readSmallText(from, { most: MOST_HEAD, noLink: true });
  if (text !== undefined && /^(?:[0-9a-f]{40,64}\n)+$/.test(text)) await writeFile(to, text);
}
