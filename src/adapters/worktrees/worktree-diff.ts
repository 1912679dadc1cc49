// What was changed in a copy, line by line, as git writes it.
import type { Worktree } from "../../ports/worktrees.ts";
import { runGit } from "./run-git.ts";
import { stateNow } from "./worktree-changes.ts";

/** `paths` from the copy's root; none: all. */
export async function worktreeDiff(worktree: Worktree, paths: readonly string[], signal: AbortSignal): Promise<string> {
  const { tree } = await stateNow(worktree, signal);
  const how = ["-p", "-r", "--no-renames", "--no-color", "--no-ext-diff", "--no-textconv"];
  // A name is a name, whatever git would read in it.
  const args = ["--literal-pathspecs", "diff-tree", ...how, worktree.base, tree, "--", ...paths];
  return (await runGit({ args, gitDir: worktree.store, signal })).toString("utf8");
}
