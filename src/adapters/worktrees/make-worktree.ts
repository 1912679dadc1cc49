// A private copy of a project's current state: a repository of its own that shares only the objects. Nothing done in
// it can touch the project's refs, configuration, stash or hooks, and nothing of the project's configuration runs.
import { lstatSync } from "node:fs";
import { appendFile, mkdir, rm, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { LeftOut, Worktree, WorktreeOrder } from "../../ports/worktrees.ts";
import { readBounded } from "../files/read-bounded.ts";
import { copyExclude } from "./copy-exclude.ts";
import { copyIncluded } from "./copy-included.ts";
import { type Repository, findRepository } from "./find-repository.ts";
import { addAll } from "./add-all.ts";
import { removeFolder } from "./remove-folder.ts";
import { GitProblem, PLAIN_ATTRIBUTES, runGit } from "./run-git.ts";

export async function makeWorktree(
  order: WorktreeOrder,
  signal: AbortSignal,
): Promise<{ readonly worktree: Worktree; readonly leftOut: readonly LeftOut[] }> {
  const { source, place, branch, leaveOut = [] } = order;
  const found = await findRepository(source);
  // A folder inside a repository is copied by itself: only a top has the repository's state.
  const repository = found?.top === source ? found : undefined;
  const store = `${place}.git`;
  await mkdir(dirname(place), { recursive: true, mode: 0o700 });
  await mkdir(place, { mode: 0o700 });
  try {
    const format = `--object-format=${repository?.format ?? "sha1"}`;
    await runGit({ args: ["init", "--quiet", "--bare", "--template=", format, store] });
    await prepare(store, repository ? [repository.objects] : []);
    if (repository) await copyExclude(repository.common, store);
    if (leaveOut.length > 0)
      await appendFile(join(store, "info", "exclude"), leaveOut.map((path) => `\n/${ignorePattern(path)}/\n`).join(""));
    const into = { gitDir: store, index: join(store, "snapshot-index"), workTree: source, signal };
    const base = await snapshot(repository, into);
    await runGit({ args: ["init", "--quiet", "--template=", format, place] });
    const gitDir = join(place, ".git");
    await prepare(gitDir, [join(store, "objects"), ...(repository ? [repository.objects] : [])]);
    const own = { gitDir, workTree: place, signal, cwd: place };
    await runGit({ ...own, args: ["update-ref", `refs/heads/${branch}`, base] });
    await runGit({ ...own, args: ["symbolic-ref", "HEAD", `refs/heads/${branch}`] });
    await runGit({ ...own, args: ["reset", "--hard", "--quiet", base] });
    const leftOut = await copyIncluded(order, into);
    return { worktree: { root: place, store, base, branch }, leftOut };
  } catch (error) {
    await removeFolder(place);
    await removeFolder(store);
    throw error;
  }
}

/** A git folder that reads the objects of others and takes files as they are. */
async function prepare(gitDir: string, objects: readonly string[]): Promise<void> {
  if (objects.some((path) => path.includes("\n"))) throw new GitProblem("the repository's path holds a line break");
  for (const folder of ["info", "objects/info"]) await mkdir(join(gitDir, folder), { recursive: true });
  await writeFile(join(gitDir, "info", "attributes"), PLAIN_ATTRIBUTES);
  await writeFile(join(gitDir, "objects", "info", "alternates"), objects.map((path) => `${path}\n`).join(""));
}

/** Everything in the work tree that is not ignored, as a commit on top of the project's own. */
async function snapshot(repository: Repository | undefined, into: Into): Promise<string> {
  const parent = repository && (await headOf(repository, into.signal));
  await seedIndex(repository, into.index, parent, into);
  await mustNotBeHuge(into);
  await addAll({ ...into, cwd: into.workTree });
  const tree = text(await runGit({ ...into, args: ["write-tree"] }));
  const parents = parent === undefined ? [] : ["-p", parent];
  return text(
    await runGit({ ...into, args: ["commit-tree", tree, ...parents, "-m", "the state this copy was made from"] }),
  );
}

/** What takes minutes to be read is no part of a copy, and its state is not there without it. */
async function mustNotBeHuge(into: Into): Promise<void> {
  const args = ["ls-files", "--others", "--modified", "--exclude-standard", "-z"];
  const listed = await runGit({ ...into, args, cwd: into.workTree });
  for (const path of listed.toString("utf8").split("\0").filter(Boolean)) {
    const size = lstatSync(join(into.workTree, path), { throwIfNoEntry: false })?.size ?? 0;
    if (size > MOST_FILE_BYTES)
      throw new GitProblem(
        `${path} has more than ${MOST_FILE_BYTES / 1024 ** 3} GB: let git ignore it, or move it away`,
      );
  }
}

const MOST_FILE_BYTES = 4 * 1024 ** 3;

/** undefined in a repository without a commit. It only reads a name: nothing that its configuration names is run. */
async function headOf({ gitDir }: Repository, signal: AbortSignal): Promise<string | undefined> {
  const args = ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"];
  return text(await runGit({ args, gitDir, signal, mayBeOne: true })) || undefined;
}

type Into = {
  readonly gitDir: string;
  readonly index: string;
  readonly workTree: string;
  readonly signal: AbortSignal;
};

/**
 * The project's own index knows which files have not changed, which saves reading them all. One that is split into
 * several files is of no use here.
 */
async function seedIndex(
  repository: Repository | undefined,
  index: string,
  parent: string | undefined,
  into: Into,
): Promise<void> {
  if (!repository) return;
  try {
    const found = await readBounded(join(repository.gitDir, "index"), { most: MOST_INDEX_BYTES });
    if (!found.ok) throw new GitProblem(`the index ${found.reason}`);
    const { bytes } = found;
    if (bytes.includes("link") && bytes.includes("sharedindex")) throw new GitProblem("split");
    await writeFile(index, bytes);
    // Files that changed in the instant the index was written are told by its time: whole seconds err on the safe side.
    const written = Math.floor(found.mtimeMs / 1000);
    await utimes(index, written, written);
    await runGit({ ...into, args: ["update-index", "--no-split-index", "--really-refresh", "-q"], mayBeOne: true });
  } catch (error) {
    into.signal.throwIfAborted();
    if (!(error instanceof GitProblem) && !("code" in (error as Error))) throw error;
    await rm(index, { force: true });
    if (parent !== undefined) await runGit({ ...into, args: ["read-tree", parent] });
  }
}

const MOST_INDEX_BYTES = 512 * 1024 * 1024;

/** A path as an ignore file means exactly it. */
const ignorePattern = (path: string): string => path.replace(/[\\*?[\] ]/g, "\\$&");

const text = (bytes: Buffer): string => bytes.toString("utf8").trim();
