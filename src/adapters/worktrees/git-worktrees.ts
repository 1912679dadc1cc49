// Copies of a project by git.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Worktrees } from "../../ports/worktrees.ts";
import { blobId } from "./blob-id.ts";
import { keepBranch } from "./keep-branch.ts";
import { makeWorktree } from "./make-worktree.ts";
import { hasNoCommits } from "./has-no-commits.ts";
import { removeFolder } from "./remove-folder.ts";
import { GitProblem, runGit } from "./run-git.ts";
import { tidyStore, worktreeChanges } from "./worktree-changes.ts";
import { worktreeDiff } from "./worktree-diff.ts";

export const gitWorktrees: Worktrees = {
  async make(order, signal) {
    try {
      return { ok: true, ...(await makeWorktree(order, signal)) };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof GitProblem) return { ok: false, problem: error.message };
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      return { ok: false, problem: message };
    }
  },
  changes: worktreeChanges,
  diff: worktreeDiff,
  hasNoCommits,
  async keep(...order) {
    try {
      return await keepBranch(...order);
    } catch (error) {
      if (error instanceof GitProblem) return { ok: false, problem: error.message };
      throw error;
    }
  },
  tidy: tidyStore,
  async remove({ root, store }) {
    await removeFolder(root);
    await removeFolder(store);
  },
  read: ({ store }, { id }) => runGit({ args: ["cat-file", "blob", id], gitDir: store }),
  idOf: ({ base }, bytes) => blobId(base, bytes),
  merge: mergeTexts,
};

async function mergeTexts(ours: Uint8Array, base: Uint8Array, theirs: Uint8Array): Promise<Uint8Array | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "sous-merge-"));
  try {
    const names = ["ours", "base", "theirs"].map((name) => join(folder, name));
    for (const [at, bytes] of [ours, base, theirs].entries()) await writeFile(names[at]!, bytes, { flag: "wx" });
    return await runGit({ args: ["merge-file", "-p", "-q", ...names], cwd: folder });
  } catch (error) {
    // It ends with the number of conflicts, or with 255 for what is no text.
    if (error instanceof GitProblem) return undefined;
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
