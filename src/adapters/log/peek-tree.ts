// How a tree began and how it stands, from the first and last lines of its journal: for lists of thousands of trees.
import { join } from "node:path";
import { isSound } from "../../core/event-shape.ts";
import type { DurableEvent, Recorded, SessionOpened } from "../../core/events.ts";
import { inOrder, isNewer, type Newer } from "../../core/newer-format.ts";
import type { LogFiles } from "../../ports/log-files.ts";
import { refuseFolders } from "./folders.ts";
import { segmentName, segments, treeFolder, type TreePlace } from "./layout.ts";
import { readFirstRecord } from "./first-record.ts";
import { parseRecord } from "./record.ts";
import { readBackwards } from "./read-backwards.ts";
import { readTree } from "./read-tree.ts";

export type RunStep = Extract<DurableEvent, { type: `run.${string}` }>;

export type TreePeek = {
  readonly opened: Recorded<SessionOpened> | undefined;
  /** The lead's last `run.*` event; undefined when it has none yet. */
  readonly lastRun: Recorded<RunStep> | undefined;
  readonly last: Recorded | undefined;
  /** A newer version of Sous wrote in it. */
  readonly newer?: Newer;
};

/** How far back the lead's last step is looked for before the journal is read whole. */
const maxLines = 2000;

/** Agrees with a full reading: wherever the ends of the journal are not sound, it is one. */
export async function peekTree(files: LogFiles, place: TreePlace): Promise<TreePeek> {
  return (await peekEnds(files, place)) ?? peekWhole(files, place);
}

async function peekEnds(files: LogFiles, place: TreePlace): Promise<TreePeek | undefined> {
  if (refuseFolders(files, place) !== undefined) return undefined;
  const folder = treeFolder(place);
  const numbers = segments(files, folder);
  // Several segments mean that numbers may repeat across them.
  if (numbers.length !== 1 || numbers[0] !== 1) return undefined;
  const path = join(folder, segmentName(1));
  const opened = await readFirstRecord(files, path);
  if (opened?.type !== "session.opened" || opened.seq !== 1 || isNewer(opened)) return undefined;

  let last: Recorded | undefined;
  let next: Recorded | undefined;
  let lines = 0;
  for await (const { bytes, finished } of readBackwards(files, path)) {
    const parsed = finished ? parseRecord(bytes) : undefined;
    if (parsed?.is !== "record" || !isKnown(parsed.record) || ++lines > maxLines) return undefined;
    const { record } = parsed;
    if (next && (record.seq !== next.seq - 1 || record.epoch > next.epoch)) return undefined;
    next = record;
    last ??= record;
    if (record.session === opened.session && isRunStep(record)) return { opened, lastRun: record, last };
  }
  return next?.seq === 1 ? { opened, lastRun: undefined, last } : undefined;
}

async function peekWhole(files: LogFiles, place: TreePlace): Promise<TreePeek> {
  const read = await readTree(files, place);
  if (read.is === "refused") return { opened: undefined, lastRun: undefined, last: undefined };
  const opened = read.events.find((record) => record.type === "session.opened" && record.session === place.tree);
  const lastRun = read.events.findLast((record) => record.session === place.tree && isRunStep(record));
  return {
    opened: opened?.type === "session.opened" ? opened : undefined,
    lastRun: lastRun && isRunStep(lastRun) ? lastRun : undefined,
    last: inOrder(read.events, read.unread).at(-1),
    ...(read.newer && { newer: read.newer }),
  };
}

const isKnown = (record: Recorded): boolean => !isNewer(record) && isSound(record);
const isRunStep = (record: Recorded): record is Recorded<RunStep> => record.type.startsWith("run.");
