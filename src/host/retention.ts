// Removes old sessions, as the person's retention setting says. What runs, waits for a person or a budget, or was cut
// off within the limit, stays. Bounded work: what is left over is for the end of the next run.
import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { listTrees, treeFolder, treesFolder } from "../adapters/log/layout.ts";
import { acquireLock } from "../adapters/log/lock.ts";
import { nodeFiles } from "../adapters/log/node-files.ts";
import { peekTree, type TreePeek } from "../adapters/log/peek-tree.ts";
import { readNewer } from "../adapters/log/read-newer.ts";
import { liveness, thisProcess } from "../adapters/processes/process-identity.ts";
import type { SessionId } from "../core/ids.ts";
import type { Config } from "./config.ts";
import { readState } from "./session-store.ts";
import { copiesFolder } from "./workspaces/copy-place.ts";
import { openCopies } from "./workspaces/open-copies.ts";

const GONE = ".gone-";
const DAY_MS = 86_400_000;
const MOST_AT_ONCE = 50;
const MOST_LOOKED_AT = 500;
const MOST_MS = 1_000;

/** How many sessions were removed. */
export async function removeOld(stateDir: string, retention: Config["retention"], now: number): Promise<number> {
  if (retention?.days === undefined && retention?.sessions === undefined) return 0;
  await removeRests(stateDir);
  const trees = listTrees(nodeFiles, stateDir);
  const beyond = retention.sessions === undefined ? 0 : Math.max(0, trees.length - retention.sessions);
  const began = performance.now();
  let removed = 0;
  // Ids count up in time: the oldest come first.
  for (const [at, tree] of trees.slice(0, MOST_LOOKED_AT).entries()) {
    if (removed >= MOST_AT_ONCE || performance.now() - began > MOST_MS) break;
    const peek = await peekTree(nodeFiles, { stateDir, tree }).catch(() => undefined);
    if (!peek || !isOld(peek, { tooMany: at < beyond, days: retention.days, now })) continue;
    // How a session of a newer version stands is not known here: that version decides on it.
    if (await readNewer(nodeFiles, { stateDir, tree })) continue;
    if (!(await holdsWork(stateDir, tree)) && (await remove(stateDir, tree, now))) removed++;
  }
  return removed;
}

/** An agent's copy that nobody decided on. Where that cannot be told, it may be so. */
async function holdsWork(stateDir: string, tree: SessionId): Promise<boolean> {
  const copies = copiesFolder(treeFolder({ stateDir, tree }));
  if (nodeFiles.list(copies).length === 0) return false;
  const { state } = await readState(stateDir, tree).catch(() => ({ state: undefined }));
  return !state || openCopies(state).some(({ copy }) => existsSync(copy?.root ?? ""));
}

export type Age = { readonly tooMany: boolean; readonly days: number | undefined; readonly now: number };

export function isOld({ lastRun, last }: Pick<TreePeek, "lastRun" | "last">, { tooMany, days, now }: Age): boolean {
  if (!last || lastRun?.type === "run.paused" || lastRun?.type === "run.parked") return false;
  const aged = days !== undefined && now - last.time > days * DAY_MS;
  return lastRun?.type === "run.ended" ? aged || tooMany : aged;
}

/** Under its lock: nobody works on it, and nobody can begin to. Out of the list first, so that no half of it is seen. */
async function remove(stateDir: string, tree: SessionId, now: number): Promise<boolean> {
  const folder = treeFolder({ stateDir, tree });
  const owner = thisProcess();
  const options = { files: nodeFiles, folder, owner, command: "retention", liveness, now: () => now };
  const acquired = await acquireLock(options);
  if (acquired.is === "held") return false;
  const gone = join(treesFolder(stateDir), `${GONE}${tree}`);
  try {
    await rename(folder, gone);
    await rm(gone, { recursive: true });
    return true;
  } catch {
    return false;
  } finally {
    acquired.lock.release();
  }
}

/** What a process that was killed while removing has left. */
async function removeRests(stateDir: string): Promise<void> {
  const folder = treesFolder(stateDir);
  for (const name of nodeFiles.list(folder).filter((one) => one.startsWith(GONE)))
    await rm(join(folder, name), { recursive: true, force: true });
}
