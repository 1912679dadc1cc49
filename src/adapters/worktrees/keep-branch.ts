// Brings the work of a copy into the project's repository as a branch: its commits, and what it left uncommitted as one
// more. Only objects and one new ref are written there; nothing that either repository configures is run.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Kept, Worktree } from "../../ports/worktrees.ts";
import { findRepository } from "./find-repository.ts";
import { GitProblem, runGit } from "./run-git.ts";
import { stateNow } from "./worktree-changes.ts";

export async function keepBranch(
  worktree: Worktree,
  source: string,
  message: string,
  signal: AbortSignal,
): Promise<Kept> {
  const { root, store, base, branch } = worktree;
  const found = await findRepository(source);
  if (found?.top !== source) return { ok: false, problem: `${source} is no git repository that could keep a branch` };
  // The store reads the copy's objects, and never its configuration.
  const own = { gitDir: store, objects: [join(root, ".git", "objects")], signal };
  const tip = await tipOf(worktree, own);
  const { tree, apart } = await stateNow(worktree, signal);
  const [first] = apart;
  if (first) return { ok: false, problem: `no branch can hold ${first.path}: ${first.apart}` };
  const committed = text(await runGit({ ...own, args: ["rev-parse", `${tip}^{tree}`] }));
  const commit =
    committed === tree ? tip : text(await runGit({ ...own, args: ["commit-tree", tree, "-p", tip, "-m", message] }));
  const [parent] = text(await runGit({ ...own, args: ["rev-list", "--parents", "-n1", base] }))
    .split(" ")
    .slice(1);
  const wanted = `${commit}\n${parent === undefined ? "" : `^${parent}\n`}`;
  const pack = await runGit({ ...own, args: ["pack-objects", "--revs", "--stdout", "-q"], input: wanted });
  await runGit({ ...own, objectsInto: found.objects, args: ["index-pack", "--stdin", "--fsck-objects"], input: pack });
  const none = "0".repeat(base.length);
  const ref = { args: ["update-ref", `refs/heads/${branch}`, commit, none], gitDir: found.gitDir, signal };
  const there = { args: ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`], gitDir: found.gitDir, signal };
  if (text(await runGit({ ...there, mayBeOne: true })) === commit) return { ok: true, branch, commit };
  await runGit(ref);
  return { ok: true, branch, commit };
}

/** Where its agent left off, if that follows on the state it began with; else that state. */
async function tipOf(
  { root, base }: Worktree,
  own: Pick<Parameters<typeof runGit>[0], "gitDir" | "objects">,
): Promise<string> {
  const gitDir = join(root, ".git");
  const head = await readFile(join(gitDir, "HEAD"), "utf8").catch(() => "");
  const ref = /^ref: (refs\/heads\/[^\n]+)$/m.exec(head)?.[1];
  const inPack = async (): Promise<string> => {
    const packed = await readFile(join(gitDir, "packed-refs"), "utf8").catch(() => "");
    return packed.split("\n").find((line) => line.endsWith(` ${ref}`)) ?? "";
  };
  const line = ref === undefined || ref.includes("..") ? head : await readFile(join(gitDir, ref), "utf8").catch(inPack);
  const tip = /^[0-9a-f]{40,64}/.exec(line)?.[0];
  if (tip === undefined) return base;
  try {
    const common = text(await runGit({ ...own, args: ["merge-base", base, tip], mayBeOne: true }));
    return common === base ? tip : base;
  } catch (error) {
    if (error instanceof GitProblem) return base;
    throw error;
  }
}

const text = (bytes: Buffer): string => bytes.toString("utf8").trim();
