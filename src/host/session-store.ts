// Sessions on the disk, for people: find, list, read and remove them. Owns nothing, works while others write.
import { join } from "node:path";
import { listTrees, lockEpochs, lockName, sessionsFolder, treeFolder } from "../adapters/log/layout.ts";
import { type LockContent, readLock } from "../adapters/log/lock-file.ts";
import { nodeFiles } from "../adapters/log/node-files.ts";
import { peekTree } from "../adapters/log/peek-tree.ts";
import { readTree } from "../adapters/log/read-tree.ts";
import { liveness } from "../adapters/processes/process-identity.ts";
import type { Recorded } from "../core/events.ts";
import type { SessionId } from "../core/ids.ts";
import { ROOT } from "../core/ids.ts";
import { mendHistory } from "../core/mend-history.ts";
import { inOrder, leftOutText, type Newer, newerText } from "../core/newer-format.ts";
import { type TreeState, foldTree, newTree } from "../core/tree-state.ts";
import { removeFolder } from "../adapters/worktrees/remove-folder.ts";
import { copiesFolder } from "./workspaces/copy-place.ts";
import { HostError } from "./host-error.ts";
import { type Scope, isInScope, sessionsIn } from "./project-scope.ts";

export type SessionRow = {
  readonly id: SessionId;
  readonly path: string;
  readonly agent: string;
  readonly status: string;
  readonly title: string;
  readonly cwd: string;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly costUsd: number | null;
  readonly children: number;
  /** A newer version of Sous wrote it, in this format: here it can only be read. */
  readonly newerFormat?: number;
};

/** Newest first. One whose beginning cannot be read is in every scope, so that it is never out of sight. */
export async function listSessions(stateDir: string, scope: Scope = "all"): Promise<SessionRow[]> {
  const rows: SessionRow[] = [];
  for (const tree of listTrees(nodeFiles, stateDir).toReversed()) {
    // What is wrong with one must not hide the others.
    const row = await rowOf(stateDir, tree).catch(() => damagedRow(tree));
    if (row && (row.cwd === "" || isInScope(scope, row.cwd))) rows.push(row);
  }
  return rows;
}

async function rowOf(stateDir: string, tree: SessionId): Promise<SessionRow | undefined> {
  const { opened, lastRun, last, newer } = await peekTree(nodeFiles, { stateDir, tree });
  if (!opened) return newer ? newerRow(tree, newer) : last ? damagedRow(tree) : undefined;
  const ended = lastRun && "result" in lastRun ? lastRun : undefined;
  const unfinished = ended ? undefined : await readState(stateDir, tree);
  const alive = ended ? false : await isOwned(stateDir, tree);
  return {
    id: tree,
    path: ROOT,
    agent: opened.agent,
    status: ended?.result.status ?? (alive ? "running" : "interrupted"),
    title: opened.title,
    cwd: opened.binding.cwd,
    startedAt: new Date(opened.time).toISOString(),
    ...(ended && { endedAt: new Date(ended.time).toISOString() }),
    costUsd: ended ? ended.result.usage.tree.costUsd : unfinished ? unfinished.state.cost.costUsd : null,
    children: unfinished ? unfinished.state.sessions.size - 1 : viewsOf(stateDir, tree) - 1,
    ...(newer && { newerFormat: newer.format }),
  };
}

/** Its first record cannot be read; what else there is can still be shown. */
const damagedRow = (tree: SessionId): SessionRow => ({
  id: tree,
  path: ROOT,
  agent: "",
  status: "damaged",
  title: "",
  cwd: "",
  startedAt: new Date(Number.parseInt(tree.slice(6, 19).replace("-", ""), 16) || 0).toISOString(),
  costUsd: null,
  children: 0,
});

/** Not even its first record is understood by this version. */
const newerRow = (tree: SessionId, { format }: Newer): SessionRow => ({
  ...damagedRow(tree),
  status: "unknown",
  newerFormat: format,
});

/** Each session of a tree has a file of its own, the lead's among them. */
function viewsOf(stateDir: string, tree: SessionId): number {
  const names = nodeFiles.list(sessionsFolder(treeFolder({ stateDir, tree })));
  return Math.max(1, names.filter((name) => name.endsWith(".jsonl")).length);
}

export type SessionRecord = {
  /** A process has it open: what is not ended there still runs. */
  readonly owned: boolean;
  readonly state: TreeState;
  /** All there is, also what this version does not understand. */
  readonly events: readonly Recorded[];
  /** A newer version of Sous wrote in it. */
  readonly newer?: Newer;
  /** Sentences about damage, and about what is not understood. */
  readonly notices: readonly string[];
};

export async function readState(stateDir: string, tree: SessionId): Promise<SessionRecord> {
  const read = await readTree(nodeFiles, { stateDir, tree });
  if (read.is === "refused") throw new HostError(read.message, "failed");
  const { damage, events, unread, newer } = read;
  const state = newTree();
  const isWhole = damage.length === 0 && unread.length === 0;
  for (const event of isWhole ? events : mendHistory(events)) foldTree(state, event);
  const all = inOrder(events, unread);
  const leftOut = leftOutText(all);
  const notices = [
    ...damage.map((one) => `damaged: ${one.segment} line ${one.line}: ${one.what}`),
    ...(newer ? [`session ${tree} can only be read here: ${newerText(newer)}`] : []),
    ...(leftOut ? [`${leftOut}; --json and --format jsonl have them`] : []),
  ];
  return { owned: await isOwned(stateDir, tree), state, events: all, ...(newer && { newer }), notices };
}

/** By id or the start of one, whatever its project; or `last`: the newest in the scope. */
export async function findSession(stateDir: string, wanted: string, scope: Scope): Promise<SessionId> {
  if (wanted === "last") {
    for await (const newest of sessionsIn(stateDir, scope)) return newest;
    throw new HostError(
      scope === "all"
        ? "there is no session yet"
        : `no session was begun in the project ${scope.root}: sous sessions --all lists those of other projects`,
    );
  }
  const trees = listTrees(nodeFiles, stateDir);
  const fits = trees.filter((tree) => isStart(wanted, tree));
  if (fits.length === 1 && fits[0]) return fits[0];
  if (fits.length > 1 && wanted !== "")
    throw new HostError(`"${wanted}" fits ${fits.length} sessions: give more of the id (see sous sessions list)`);
  throw new HostError(`there is no session "${wanted}"; see sous sessions list`);
}

/** A lead is meant, by one of the names that `findSession` takes. */
export const namesSession = (stateDir: string, wanted: string): boolean =>
  wanted === "last" || (wanted !== "" && sessionIds(stateDir).some((tree) => isStart(wanted, tree)));

const isStart = (wanted: string, tree: SessionId): boolean =>
  tree.startsWith(wanted) || tree.startsWith(`agent-${wanted}`);

export async function removeSession(stateDir: string, tree: SessionId, force = false): Promise<void> {
  if (await isOwned(stateDir, tree))
    throw new HostError(`session ${tree} is running: stop it before you remove it`, "failed");
  if (!force) await mustHoldNoWork(stateDir, tree);
  await removeFolder(treeFolder({ stateDir, tree }));
}

/** Work that stands in a copy of one of its agents and nowhere else goes with it. */
async function mustHoldNoWork(stateDir: string, tree: SessionId): Promise<void> {
  if (nodeFiles.list(copiesFolder(treeFolder({ stateDir, tree }))).length === 0) return;
  const { withUnsavedWork } = await import("./workspaces/stored-copies.ts");
  const unsaved = await withUnsavedWork((await readState(stateDir, tree)).state);
  if (unsaved.length > 0)
    throw new HostError(
      `session ${tree} was not removed: what ${unsaved.join(", ")} changed stands only there; see sous changes show ${tree}, or use --force`,
      "failed",
    );
}

/** How a session stands for people: one whose process died is interrupted, whatever its last record says. */
export const standing = (status: string, owned: boolean): string =>
  !owned && (status === "running" || status === "new") ? "interrupted" : status;

const isOwned = async (stateDir: string, tree: SessionId): Promise<boolean> =>
  (await ownerOf(stateDir, tree)) !== undefined;

/** The process that has the session open, or undefined. */
export async function ownerOf(stateDir: string, tree: SessionId): Promise<LockContent | undefined> {
  const folder = treeFolder({ stateDir, tree });
  const epoch = lockEpochs(nodeFiles, folder).at(-1);
  if (epoch === undefined) return undefined;
  const lock = await readLock(nodeFiles, join(folder, lockName(epoch)));
  return typeof lock === "object" && !lock.released && liveness(lock) !== "dead" ? lock : undefined;
}

/** Every session of the state folder by its id, oldest first. */
export const sessionIds = (stateDir: string): readonly SessionId[] => listTrees(nodeFiles, stateDir);
