// Which sessions a person means who says nothing more: those of the project they stand in, by its real root.
import { join } from "node:path";
import { readFirstRecord } from "../adapters/log/first-record.ts";
import { listTrees, segmentName, treeFolder } from "../adapters/log/layout.ts";
import { nodeFiles } from "../adapters/log/node-files.ts";
import type { SessionId } from "../core/ids.ts";
import { projectRoot } from "./config/trust.ts";
import { realFolder } from "./real-folder.ts";

/** One project, or every one there is. */
export type Scope = { readonly root: string; readonly home: string | undefined } | "all";

/** The project that a folder belongs to. */
export async function scopeOf(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Exclude<Scope, "all">> {
  const home = env["HOME"];
  return { root: projectRoot(await realFolder(folder), home), home };
}

/** Whether a session that was begun in this folder belongs to the scope. */
export const isInScope = (scope: Scope, cwd: string): boolean =>
  scope === "all" || projectRoot(cwd, scope.home) === scope.root;

/** The scope's sessions, newest first. One whose beginning cannot be read belongs to no project. */
export async function* sessionsIn(stateDir: string, scope: Scope): AsyncGenerator<SessionId> {
  for (const tree of listTrees(nodeFiles, stateDir).toReversed()) {
    const cwd = scope === "all" ? undefined : await folderOf(stateDir, tree);
    if (scope === "all" || (cwd !== undefined && isInScope(scope, cwd))) yield tree;
  }
}

/** Where a session was begun, from the first line of its journal: cheap also where there are thousands. */
async function folderOf(stateDir: string, tree: SessionId): Promise<string | undefined> {
  const path = join(treeFolder({ stateDir, tree }), segmentName(1));
  const first = await readFirstRecord(nodeFiles, path).catch(() => undefined);
  return first?.type === "session.opened" ? first.binding.cwd : undefined;
}
