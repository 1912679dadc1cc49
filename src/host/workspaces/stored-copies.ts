// The copies of sessions on the disk, for people at any terminal: looked at without anybody's leave, decided on by the
// process that has the session open, or without one by ourselves.
import { existsSync, readdirSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { treeFolder } from "../../adapters/log/layout.ts";
import { createFileUndo } from "../../adapters/undo/file-undo.ts";
import { gitWorktrees } from "../../adapters/worktrees/git-worktrees.ts";
import type { SessionId } from "../../core/ids.ts";
import type { TreeState } from "../../core/tree-state.ts";
import { askHost } from "../control/ask-host.ts";
import type { Address } from "../control/find-address.ts";
import { HostError } from "../host-error.ts";
import { openSession } from "../open-session.ts";
import { readState } from "../session-store.ts";
import { type Diff, asDiff } from "../changes-diff.ts";
import { chooseFiles } from "./copy-actions.ts";
import { copiesFolder } from "./copy-place.ts";
import { type CopyView, viewCopies } from "./copy-view.ts";
import { openCopies } from "./open-copies.ts";
import { type CopyWish, type Decided, decideCopy } from "./decide-copy.ts";

export type { CopyView, CopyFile } from "./copy-view.ts";
export { copyLines } from "./copy-text.ts";

/** Cheap: most sessions have none. */
export function mayHaveCopies(stateDir: string, tree: SessionId): boolean {
  const folder = copiesFolder(treeFolder({ stateDir, tree }));
  return existsSync(folder) && readdirSync(folder).length > 0;
}

export const listCopies = async (stateDir: string, tree: SessionId, only?: SessionId): Promise<CopyView[]> =>
  mayHaveCopies(stateDir, tree) ? viewCopies((await readState(stateDir, tree)).state, gitWorktrees, only) : [];

/** What was changed in one of them, line by line; `files` as a person named them, none: all. */
export async function copyDiff(
  stateDir: string,
  tree: SessionId,
  view: CopyView,
  files: readonly string[],
  from: string,
): Promise<Diff> {
  const chosen = chooseFiles(view.files, view.source, { files, from });
  if (typeof chosen === "string") throw new HostError(chosen);
  const copy = (await readState(stateDir, tree)).state.sessions.get(view.session)?.copy;
  if (!copy) return { problem: "the copy is gone" };
  const paths = files.length === 0 ? [] : chosen.map(({ path }) => path);
  return asDiff(() => gitWorktrees.diff(copy, paths, new AbortController().signal));
}

/** Agents whose copies hold what stands nowhere else, or cannot be looked into. */
export async function withUnsavedWork(state: TreeState): Promise<string[]> {
  const never = new AbortController().signal;
  const found: string[] = [];
  for (const { copy, path } of openCopies(state)) {
    if (!copy || !existsSync(copy.root)) continue;
    const changes = await gitWorktrees.changes(copy, never).catch(() => undefined);
    if (changes?.length !== 0 || !(await gitWorktrees.hasNoCommits(copy))) found.push(path);
  }
  return found;
}

export async function decideStored(
  stateDir: string,
  { tree, session, path }: Address,
  wish: CopyWish,
): Promise<Decided> {
  const { action, files, from } = wish;
  const request = { op: "changes", to: session, action, files: [...files], ...(from !== undefined && { from }) };
  const reply = await askHost({ stateDir, tree, request, repeatable: false });
  if (reply !== "left") return reply as unknown as Decided;
  const open = await openSession(stateDir, tree, "existing", () => {});
  try {
    const owner = open.writer.state.sessions.get(session);
    if (!owner) throw new HostError(`${path} has no readable record`, "failed");
    const undo = createFileUndo(join(open.folder, "undo"));
    const folder = await realpath(open.folder);
    const places = { writer: open.writer, worktrees: gitWorktrees, folder, undo };
    // Nobody has it open: nobody is at work.
    return await decideCopy({ ...places, isAtWork: () => false }, owner, wish);
  } finally {
    await open.log.close();
  }
}
