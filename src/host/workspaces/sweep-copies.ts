// Removes what a killed process left of copies: those that were not finished, and those that were given up already.
// A copy on record is nobody's to remove but who decides on it; one that is proved to hold nothing is given up.
import { existsSync } from "node:fs";
import { lstat, readdir, realpath } from "node:fs/promises";
import { type SessionId, isSessionId } from "../../core/ids.ts";
import type { OpenSession } from "../open-session.ts";
import { copiesFolder, copyPlace } from "./copy-place.ts";
import { openCopies } from "./open-copies.ts";
import { type CopyPlaces, reportCopy } from "./report-copy.ts";

/** Where part of a record is lost nothing is removed: a copy that seems to be nobody's may hold work. */
export async function sweepCopies(session: Pick<OpenSession, "writer" | "folder" | "damaged">): Promise<void> {
  if (session.damaged || !existsSync(copiesFolder(session.folder))) return;
  const { gitWorktrees } = await import("../../adapters/worktrees/git-worktrees.ts");
  await sweep({ writer: session.writer, worktrees: gitWorktrees, folder: await realpath(session.folder) });
}

async function sweep(places: CopyPlaces): Promise<void> {
  const { writer, worktrees, folder } = places;
  if (!(await lstat(copiesFolder(folder))).isDirectory()) return;
  const names = await readdir(copiesFolder(folder));
  const ids = new Set(names.map((name) => name.replace(/\.git$/, "")).filter(isSessionId));
  for (const id of ids) if (!writer.state.sessions.get(id)?.copy) await remove(id);
  for (const owner of openCopies(writer.state)) {
    if (owner.copy) await worktrees.tidy(owner.copy);
    const { workspace } = owner.result ?? {};
    const saidClean = workspace && workspace.files.length === 0 && workspace.problem === undefined;
    if (saidClean && owner.status !== "running") await reportCopy(places, owner);
  }

  async function remove(id: SessionId): Promise<void> {
    const root = copyPlace(folder, id);
    await worktrees.remove({ root, store: `${root}.git` });
  }
}
