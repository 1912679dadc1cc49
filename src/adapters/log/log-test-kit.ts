// What the tests of the journal share: a place for a tree, owners that are alive or dead, and events to append.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { DurableEvent, Origin } from "../../core/events.ts";
import { ROOT, sessionId, type AgentPath } from "../../core/ids.ts";
import type { LogFiles } from "../../ports/log-files.ts";
import type { LogFault, TreeLog } from "../../ports/tree-log.ts";
import { treeFolder, type TreePlace } from "./layout.ts";
import type { OwnerIdentity } from "./lock-file.ts";
import { nodeFiles } from "./node-files.ts";
import { openTree, type History, type OpenedTree, type OpenTree } from "./open-tree.ts";
import { readTree } from "./read-tree.ts";
import type { Journal } from "./reader.ts";

export const tree = sessionId("00000000-0000-4000-8000-000000000001");
export const lead: Origin = { session: tree, path: ROOT };
export const child: Origin = {
  session: sessionId("00000000-0000-4000-8000-000000000002"),
  path: "ROOT::S1" as AgentPath,
  parent: tree,
};

export const owner = (pid: number, more: Partial<OwnerIdentity> = {}): OwnerIdentity => ({
  pid,
  startTime: String(pid * 10),
  bootId: "boot-1",
  pidNamespace: "pid:[1]",
  ...more,
});

export const note = (text: string): DurableEvent => ({ type: "note.added", kind: "test", text });

/** A state folder on the real disk, gone after the test. */
export function realPlace(): TreePlace {
  const base = mkdtempSync(join(tmpdir(), "sous-log-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  return { stateDir: join(base, "state"), tree };
}

export const journalFile = (place: TreePlace, name = "journal.jsonl"): string => join(treeFolder(place), name);
export const journalText = (place: TreePlace, name?: string): string => readFileSync(journalFile(place, name), "utf8");

export type Overrides = Partial<Omit<OpenTree, "stateDir" | "tree">>;

/** Opens as a process that is alone in the world: every earlier owner is dead. */
export function tryOpen(place: TreePlace, overrides: Overrides = {}): Promise<OpenedTree> {
  const files: LogFiles = overrides.files ?? nodeFiles;
  const mode = files.list(treeFolder(place)).length === 0 ? "create" : "existing";
  return openTree({
    ...place,
    files,
    mode,
    owner: owner(1),
    command: "sous run",
    liveness: () => "dead",
    now: Date.now,
    ...overrides,
  });
}

export async function mustOpen(place: TreePlace, overrides: Overrides = {}): Promise<History & { log: TreeLog }> {
  const opened = await tryOpen(place, overrides);
  if (opened.is !== "open") throw new Error(`not opened: ${JSON.stringify(opened)}`);
  return opened;
}

export const texts = ({ events }: Pick<History, "events">): string[] =>
  events.map((event) => (event.type === "note.added" ? event.text : event.type));

export const seqs = ({ events }: Pick<History, "events">): number[] => events.map((event) => event.seq);

/** The fault that an action ends in. */
export async function faultOf(action: () => unknown): Promise<LogFault["code"] | "none" | "other"> {
  try {
    await action();
    return "none";
  } catch (error) {
    return error instanceof Error && error.name === "LogFault" ? (error as LogFault).code : "other";
  }
}

/** A line of a journal, as an owner of epoch 1 would have written it. */
export const record = (seq: number, more: object = {}): string =>
  JSON.stringify({ v: 1, seq, time: seq, epoch: 1, session: lead.session, path: "ROOT", ...note(`n${seq}`), ...more });

export const lines = (...records: string[]): string => records.map((line) => `${line}\n`).join("");

/** A tree with exactly this in a segment of its journal. */
export function written(journal: string | Buffer, name = "journal.jsonl", place: TreePlace = realPlace()): TreePlace {
  mkdirSync(treeFolder(place), { recursive: true });
  writeFileSync(journalFile(place, name), journal);
  return place;
}

export async function read(place: TreePlace): Promise<Journal> {
  const result = await readTree(nodeFiles, place);
  if (result.is !== "read") throw new Error(result.message);
  return result;
}
