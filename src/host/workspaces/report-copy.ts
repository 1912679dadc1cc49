// What an agent leaves in its own copy when it ends. A copy that provably holds nothing is given up at once; every other
// stays until somebody decides.
import type { WorkspaceReport } from "../../core/run-result.ts";
import type { SessionState } from "../../core/session-state.ts";
import type { TreeState } from "../../core/tree-state.ts";
import type { TreeWriter } from "../../engine/runs/tree-writer.ts";
import type { WorktreeChange, Worktrees } from "../../ports/worktrees.ts";
import { copyOwner } from "./copy-place.ts";
import { releaseCopy } from "./release-copy.ts";

export type CopyPlaces = { readonly writer: TreeWriter; readonly worktrees: Worktrees; readonly folder: string };

const MOST_LISTED = 50;
const never = new AbortController().signal;

/** Never rejects for what the agent made of its copy: what cannot be told is kept, and said. */
export async function reportCopy(places: CopyPlaces, child: SessionState): Promise<WorkspaceReport> {
  const { copy, opened } = child;
  if (!copy) throw new Error(`${child.path} has no copy`);
  const { root, branch, source } = copy;
  const isolation = opened?.binding.isolation === "sandbox" ? "sandbox" : "worktree";
  const about = { isolation, root, branch, source } as const;
  try {
    const changes = await places.worktrees.changes(copy, never);
    const isClean = changes.length === 0 && (await places.worktrees.hasNoCommits(copy));
    if (isClean && !isNeeded(places.writer.state, places.folder, child)) {
      await releaseCopy(places, child, "clean");
      return { ...about, files: [], released: "clean" };
    }
    const more = changes.length - MOST_LISTED;
    return { ...about, files: changes.slice(0, MOST_LISTED).map(listed), ...(more > 0 && { more }) };
  } catch (error) {
    return { ...about, files: [], problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Others still work in it, or have copies that were made from it. */
function isNeeded({ sessions }: TreeState, folder: string, { session, copy }: SessionState): boolean {
  return [...sessions.values()].some((other) => {
    if (other.session === session) return false;
    if (other.copy && other.copy.source === copy?.root) return true;
    const uses = copyOwner(folder, other.opened?.binding.cwd ?? "/") === session;
    return (
      uses && (!other.result || other.status === "running" || other.status === "paused" || other.status === "parked")
    );
  });
}

const listed = ({ path, before, after, added, removed }: WorktreeChange): WorkspaceReport["files"][number] => ({
  path,
  change: before === null ? "created" : after === null ? "deleted" : "changed",
  added,
  removed,
});
