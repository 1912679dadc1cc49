// The branch and the status of a work tree, without obeying the repository: git runs over its index and files from a git
// folder of our own, so that no filter, hook, monitor or submodule of it is ever started.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { branchOf, statusLine } from "../../core/git-line.ts";
import { readBounded } from "../files/read-bounded.ts";
import { type Repository, findRepository } from "./find-repository.ts";
import { copyExclude } from "./copy-exclude.ts";
import { PLAIN_ATTRIBUTES, runGit } from "./run-git.ts";

const MOST_REFS_BYTES = 4 * 1024 * 1024;

export type GitState = {
  readonly branch?: string;
  /** As soon as git has told it; undefined where it cannot. */
  status(signal: AbortSignal): Promise<string | undefined>;
};

/** undefined where the folder belongs to no repository. */
export async function readGitState(folder: string): Promise<GitState | undefined> {
  const repository = await findRepository(folder).catch(() => undefined);
  if (!repository) return undefined;
  const head = await firstBytes(join(repository.gitDir, "HEAD"), 1_024);
  const branch = branchOf(head);
  return {
    ...(branch !== undefined && { branch }),
    status: (signal) => statusOf(repository, head, signal).catch(() => undefined),
  };
}

async function statusOf(repository: Repository, head: string, signal: AbortSignal): Promise<string | undefined> {
  const { top, gitDir, common, objects, format } = repository;
  if (format !== "sha1" || objects.includes("\n")) return undefined;
  const own = await mkdtemp(join(tmpdir(), "sous-git-"));
  try {
    for (const made of ["info", "refs", "objects/info"]) await mkdir(join(own, made), { recursive: true });
    await Promise.all([
      writeFile(join(own, "HEAD"), `${(await commitOf(repository, head)) ?? "ref: refs/heads/none"}\n`),
      writeFile(join(own, "objects", "info", "alternates"), `${objects}\n`),
      writeFile(join(own, "info", "attributes"), PLAIN_ATTRIBUTES),
      copyExclude(common, own),
    ]);
    const said = await runGit({
      args: ["status", "--porcelain", "-z", "--no-renames", "--ignore-submodules=all"],
      gitDir: own,
      index: join(gitDir, "index"),
      workTree: top,
      cwd: own,
      signal,
    });
    return statusLine(said.toString("utf8").split("\0"));
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

async function commitOf({ gitDir, common }: Repository, head: string): Promise<string | undefined> {
  const line = head.trim();
  if (/^[0-9a-f]{40}$/.test(line)) return line;
  const ref = /^ref: (refs\/[^\s]+)$/.exec(line)?.[1];
  if (ref === undefined || ref.split("/").includes("..")) return undefined;
  for (const folder of [gitDir, common]) {
    const loose = (await firstBytes(join(folder, ref), 100)).trim();
    if (/^[0-9a-f]{40}$/.test(loose)) return loose;
  }
  const packed = await firstBytes(join(common, "packed-refs"), MOST_REFS_BYTES);
  const found = packed.split("\n").find((one) => one.slice(41) === ref);
  return found?.slice(0, 40);
}

async function firstBytes(path: string, most: number): Promise<string> {
  const found = await readBounded(path, { most, cut: true });
  return found.ok ? found.bytes.toString("utf8") : "";
}
