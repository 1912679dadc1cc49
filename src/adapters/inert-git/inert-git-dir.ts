// A git folder of our own over a pinned repository: its objects, refs and index by links, and none of its configuration,
// hooks or drivers. What git is told by it is all that git obeys.
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readBoundedSync } from "../files/read-bounded.ts";
import { runGit } from "../worktrees/run-git.ts";
import { copyUnderWay } from "./copy-under-way.ts";
import { type PersonPlaces, personIgnores } from "./person-ignores.ts";
import { type PinnedRepository } from "./pin-repository.ts";
import { takenConfig } from "./taken-config.ts";

export type InertGitDir = {
  /** What a command's environment has, so that every git in it uses it. */
  readonly env: Readonly<Record<string, string>>;
  /** What such a command reads besides its workspace. */
  readonly readable: readonly string[];
  /** As its work tree says. */
  readonly hasSubmodules: boolean;
  remove(): void;
};

/** `folder`: where such folders stand, out of the reach of agents. */
export function inertGitDirs(
  repository: PinnedRepository,
  folder: string,
  person: PersonPlaces = {},
): { make(): Promise<InertGitDir> } {
  let known: { readonly stamp: string; readonly config: string } | undefined;

  /** Read anew only where it has changed. */
  async function config(): Promise<string> {
    const paths = [join(repository.common, "config"), join(repository.gitDir, "config.worktree")];
    const stamps = paths.map(stampOf);
    const stamp = stamps.join("\n");
    if (known?.stamp === stamp) return known.config;
    const list = async (path: string): Promise<string> => {
      const args = ["config", "--file", path, "--no-includes", "-z", "--list"];
      return (await runGit({ args, cwd: folder })).toString("utf8");
    };
    const shared = stamps[0] === NONE ? "" : await list(paths[0]!);
    const own = stamps[1] !== NONE && /(?:^|\0)extensions\.worktreeconfig(?:\n(?:true|yes|on|1))?\0/i.test(shared);
    known = { stamp, config: takenConfig(own ? `${shared}${await list(paths[1]!)}` : shared) };
    return known.config;
  }

  return {
    async make() {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const gitDir = mkdtempSync(join(folder, "git-"));
      const remove = (): void => rmSync(gitDir, { recursive: true, force: true });
      try {
        layOut(repository, gitDir, { config: await config(), ignores: personIgnores(person) });
      } catch (error) {
        remove();
        throw error;
      }
      const { top, gitDir: real, common, alternates } = repository;
      return {
        env: { ...ENVIRONMENT, GIT_DIR: gitDir, GIT_WORK_TREE: top },
        remove,
        hasSubmodules: lstatSync(join(top, ".gitmodules"), { throwIfNoEntry: false }) !== undefined,
        readable: [gitDir, top, real, common, ...alternates],
      };
    },
  };
}

const NONE = "none";

function stampOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found?.isFile() ? `${found.ino} ${found.mtimeNs} ${found.size}` : NONE;
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

/** Without the thread pool: it is a dozen calls that take microseconds, before every such command. */
function layOut(
  { gitDir: from, common, objects }: PinnedRepository,
  to: string,
  { config, ignores }: { readonly config: string; readonly ignores: string },
): void {
  const head = smallText(join(from, "HEAD"));
  if (head === undefined || !HEAD.test(head)) throw new Error(`${join(from, "HEAD")} names no branch and no commit`);
  mkdirSync(join(to, "info"));
  mkdirSync(join(to, "logs"));
  writeFileSync(join(to, "HEAD"), head);
  writeFileSync(join(to, "config"), config);
  const exclude = readBoundedSync(join(common, "info", "exclude"), { most: MOST_EXCLUDE });
  // What stands later counts more, and the repository's own does.
  const excluded = Buffer.concat([Buffer.from(ignores), ...(exclude.ok ? [exclude.bytes] : [])]);
  if (excluded.length > 0) writeFileSync(join(to, "info", "exclude"), excluded);
  const sparse = readBoundedSync(join(from, "info", "sparse-checkout"), { most: MOST_EXCLUDE, within: from });
  if (sparse.ok) writeFileSync(join(to, "info", "sparse-checkout"), sparse.bytes);
  symlinkSync(objects, join(to, "objects"));
  for (const name of ["refs", "reftable"]) link(join(common, name), join(to, name), "folder");
  for (const name of ["packed-refs", "shallow"]) link(join(common, name), join(to, name), "file");
  const parts = readdirSync(from).filter((name) => /^sharedindex\.[0-9a-f]+$/.test(name));
  for (const name of ["index", ...parts]) link(join(from, name), join(to, name), "file");
  link(join(from, "logs", "HEAD"), join(to, "logs", "HEAD"), "file");
  link(join(common, "logs", "refs"), join(to, "logs", "refs"), "folder");
  copyUnderWay(from, to);
}

const HEAD = /^(?:ref: refs\/[^\s\0]+|[0-9a-f]{40}|[0-9a-f]{64})\n?$/;
const MOST_HEAD = 4_096;
const MOST_EXCLUDE = 1024 * 1024;

/** Only what it should be: git would wait for a pipe, and tell lines of another file. */
function link(target: string, path: string, kind: "file" | "folder"): void {
  const found = lstatSync(target, { throwIfNoEntry: false });
  if (kind === "file" ? found?.isFile() : found?.isDirectory()) symlinkSync(target, path);
}

function smallText(path: string): string | undefined {
  const found = readBoundedSync(path, { most: MOST_HEAD, noLink: true });
  return found.ok ? found.bytes.toString("utf8") : undefined;
}
