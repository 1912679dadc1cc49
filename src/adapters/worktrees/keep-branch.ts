// Brings the work of a copy into the project's repository as a branch: its commits, and what it left uncommitted as one
// more; what else its repository holds, as a second branch. Only objects and new refs are written there; nothing that
// either repository configures is run.
import type { Kept, Worktree } from "../../ports/worktrees.ts";
import { type Repository, findRepository } from "./find-repository.ts";
import { commitOfRest } from "./keep-rest.ts";
import { oddEntries, parentsOf, storeWithCopy } from "./own-objects.ts";
import { type GitCall, runGit } from "./run-git.ts";
import { tipOf } from "./tip-of.ts";
import { stateNow } from "./worktree-changes.ts";

export async function keepBranch(
  worktree: Worktree,
  source: string,
  message: string,
  signal: AbortSignal,
): Promise<Kept> {
  const { branch } = worktree;
  const found = await findRepository(source);
  if (found?.top !== source) return { ok: false, problem: `${source} is no git repository that could keep a branch` };
  const odd = await oddEntries(worktree);
  if (odd !== undefined) return { ok: false, problem: `${odd}, which no branch can hold` };
  const own = storeWithCopy(worktree, signal);
  const tip = await tipOf(worktree, own);
  const { tree, apart } = await stateNow(worktree, signal);
  const [first] = apart;
  if (first) return { ok: false, problem: `no branch can hold ${first.path}: ${first.apart}` };
  const committed = text(await runGit({ ...own, args: ["rev-parse", `${tip}^{tree}`] }));
  const commit =
    committed === tree ? tip : text(await runGit({ ...own, args: ["commit-tree", tree, "-p", tip, "-m", message] }));
  const rest = await commitOfRest(worktree, commit, signal);
  const wanted = [commit, ...(rest === undefined ? [] : [rest])];
  const known = (await parentsOf(own, worktree.base)).map((parent) => `^${parent}`);
  const input = [...wanted, ...known].map((line) => `${line}\n`).join("");
  const pack = await runGit({ ...own, args: ["pack-objects", "--revs", "--stdout", "-q"], input });
  await runGit({ ...own, objectsInto: found.objects, args: ["index-pack", "--stdin", "--fsck-objects"], input: pack });
  await makeBranch(found, branch, commit, signal);
  if (rest === undefined) return { ok: true, branch, commit };
  await makeBranch(found, `${branch}-rest`, rest, signal);
  return { ok: true, branch, commit, rest: `${branch}-rest` };
}

/** One that is there already as it should be was made by a call that was cut off. */
async function makeBranch({ gitDir }: Repository, branch: string, commit: string, signal: AbortSignal): Promise<void> {
  const call = { gitDir, signal } satisfies Omit<GitCall, "args">;
  const ref = `refs/heads/${branch}`;
  const there = await runGit({ ...call, args: ["rev-parse", "--verify", "--quiet", ref], mayBeOne: true });
  if (text(there) !== commit) await runGit({ ...call, args: ["update-ref", ref, commit, "0".repeat(commit.length)] });
}

const text = (bytes: Buffer): string => bytes.toString("utf8").trim();
