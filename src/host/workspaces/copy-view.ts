// What stands in the copies of a tree: file by file what applying it would do, and where it meets the work of others
// that is not applied yet.
import type { AgentPath, SessionId } from "../../core/ids.ts";
import { rivals } from "../../core/merge-plan.ts";
import type { SessionState } from "../../core/session-state.ts";
import type { TreeState } from "../../core/tree-state.ts";
import type { WorktreeChange, Worktrees } from "../../ports/worktrees.ts";
import { openCopies } from "./open-copies.ts";
import { type MergeFile, type Planned, planMerge } from "../merge-back.ts";

export type CopyFile = Omit<MergeFile, "path"> & {
  /** From the root of the folder that was copied. */
  readonly path: string;
  /** Others that changed it in copies of their own: whoever is applied later is joined with the first, or conflicts. */
  readonly rivals?: readonly { readonly path: AgentPath; readonly is: "join" | "conflict" }[];
};

export type CopyView = {
  readonly session: SessionId;
  readonly path: AgentPath;
  readonly agent: string;
  readonly name?: string;
  readonly isolation: string;
  readonly root: string;
  readonly branch: string;
  readonly source: string;
  readonly files: readonly CopyFile[];
  /** Why it cannot be told what is in it. */
  readonly problem?: string;
};

const never = new AbortController().signal;

export async function viewCopies(state: TreeState, worktrees: Worktrees, only?: SessionId): Promise<CopyView[]> {
  const found: Found[] = [];
  for (const session of openCopies(state)) found.push({ session, ...(await look(session, worktrees)) });
  const views: CopyView[] = [];
  for (const one of found)
    if (only === undefined || one.session.session === only) views.push(await view(one, found, worktrees));
  return views;
}

type Found = { readonly session: SessionState; readonly changes: readonly WorktreeChange[]; readonly problem?: string };

async function look({ copy }: SessionState, worktrees: Worktrees): Promise<Omit<Found, "session">> {
  try {
    return { changes: copy ? await worktrees.changes(copy, never) : [] };
  } catch (error) {
    return { changes: [], problem: error instanceof Error ? error.message : String(error) };
  }
}

async function view(one: Found, all: readonly Found[], worktrees: Worktrees): Promise<CopyView> {
  const { session, path, opened, copy } = one.session;
  if (!copy) throw new Error(`${path} has no copy`);
  const { root, branch, source } = copy;
  const planned =
    one.problem === undefined ? await planMerge({ worktrees, worktree: copy, target: source }, never, one.changes) : [];
  const siblings = all.filter((other) => other.session.copy?.source === source);
  const met = rivals(siblings.map((other) => ({ name: other.session.path, changes: other.changes })));
  const files: CopyFile[] = [];
  for (const file of planned) {
    const others = siblings.filter((other) => other !== one && met.get(file.path)?.includes(other.session.path));
    const found = await Promise.all(others.map((other) => meeting(file, one, other, worktrees)));
    files.push({ ...shown(file), ...(found.length > 0 && { rivals: found }) });
  }
  const name = opened?.child?.name;
  return {
    ...{ session, path, agent: opened?.agent ?? "", ...(name !== undefined && { name }) },
    ...{ isolation: opened?.binding.isolation ?? "worktree", root, branch, source, files },
    ...(one.problem !== undefined && { problem: one.problem }),
  };
}

/** What would come of both: their lines are joined, or they conflict. */
async function meeting(
  file: Planned,
  one: Found,
  other: Found,
  worktrees: Worktrees,
): Promise<NonNullable<CopyFile["rivals"]>[number]> {
  const { path } = other.session;
  const mine = one.changes.find((change) => change.path === file.path);
  const theirs = other.changes.find((change) => change.path === file.path);
  const copies = [one.session.copy, other.session.copy] as const;
  if (!mine?.after || !theirs?.after || !mine.before || !copies[0] || !copies[1]) return { path, is: "conflict" };
  if (mine.after.kind === "link" || theirs.after.kind === "link") return { path, is: "conflict" };
  const texts = await Promise.all([
    worktrees.read(copies[1], theirs.after),
    worktrees.read(copies[0], mine.before),
    worktrees.read(copies[0], mine.after),
  ]);
  return { path, is: (await worktrees.merge(...texts)) ? "join" : "conflict" };
}

const shown = ({ path, change, added, removed, is, because }: Planned): CopyFile => ({
  ...{ path, change, added, removed, is },
  ...(because !== undefined && { because }),
});
