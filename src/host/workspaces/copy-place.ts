// Where the copies of a tree's agents stand: <tree>/worktrees/<session>, and beside it <session>.git, its store.
import { lstat, mkdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { type SessionId, isSessionId } from "../../core/ids.ts";

export const copiesFolder = (treeFolder: string): string => join(treeFolder, "worktrees");

export const copyPlace = (treeFolder: string, session: SessionId): string => join(copiesFolder(treeFolder), session);

/** For its owner only. Throws where a link stands in its place: whoever laid it would choose where copies go. */
export async function makeCopiesFolder(treeFolder: string): Promise<void> {
  const path = copiesFolder(treeFolder);
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  if (!(await lstat(path)).isDirectory()) throw new Error(`${path} is a link or no folder: move it away`);
}

/** Whose copy a folder is in, if it is in one. */
export function copyOwner(treeFolder: string, path: string): SessionId | undefined {
  const [first = ""] = relative(copiesFolder(treeFolder), path).split(sep);
  return isSessionId(first) ? first : undefined;
}

/** The name that git knows a copy's work by, in it and, when it is kept, in the project. */
export const copyBranch = (agent: string, session: SessionId): string =>
  `sous/${
    agent
      .replace(/[^A-Za-z0-9_-]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 40) || "agent"
  }-${session.slice(-12)}`;
