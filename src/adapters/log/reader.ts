// Reads a tree's journal: every record that is whole, and a note on everything that is not. Changes nothing.
import { join } from "node:path";
import { isSound } from "../../core/event-shape.ts";
import type { Recorded } from "../../core/events.ts";
import { isNewer, type Newer, newerOf } from "../../core/newer-format.ts";
import type { LogFiles } from "../../ports/log-files.ts";
import type { Damage } from "../../ports/tree-log.ts";
import { LineSplitter } from "../../std/jsonl.ts";
import { FoundRecords } from "./found-records.ts";
import { segmentName, segments } from "./layout.ts";
import { maxLineBytes, parseRecord } from "./record.ts";
import { salvage } from "./salvage.ts";
import { settle } from "./settle.ts";

export type Journal = {
  readonly events: readonly Recorded[];
  readonly damage: readonly Damage[];
  /** Set when some records are of a newer format: then nothing may be appended. */
  readonly newer?: Newer;
  /** Those of a newer format whose fields are not as this version knows them: kept for programs, never folded. */
  readonly unread: readonly Recorded[];
  readonly lastSeq: number;
  readonly lastEpoch: number;
  /** The segment that may be appended to; absent when there is none yet. */
  readonly last?: SegmentEnd;
};

/** `fragment` bytes after `whole` belong to a line without its newline. */
export type SegmentEnd = { readonly number: number; readonly whole: number; readonly fragment: number };

const chunkBytes = 256 * 1024;

export async function readJournal(files: LogFiles, folder: string): Promise<Journal> {
  const found = new FoundRecords();
  const damage: Damage[] = [];
  const formats: number[] = [];
  let last: SegmentEnd | undefined;
  for (const number of segments(files, folder)) {
    const end = await readSegment(
      files,
      join(folder, segmentName(number)),
      segmentName(number),
      found,
      damage,
      formats,
    );
    last = { number, ...end };
  }
  return { ...historyOf(found, damage, formats), ...(last && { last }) };
}

async function readSegment(
  files: LogFiles,
  path: string,
  segment: string,
  found: FoundRecords,
  damage: Damage[],
  formats: number[],
): Promise<{ whole: number; fragment: number }> {
  let line = 0;
  found.beginSegment(segment);
  const splitter = new LineSplitter((bytes, _start, length) => {
    line++;
    if (length > bytes.length) {
      damage.push({ segment, line, bytes: length, what: "a line longer than any record; skipped" });
      return;
    }
    const parsed = parseRecord(bytes);
    if (parsed.is === "record") return found.add(parsed.record, line);
    if (parsed.format !== undefined) formats.push(parsed.format);
    const saved = salvage(bytes);
    for (const record of saved) found.add(record, line);
    const numbers = saved.map((record) => record.seq).join(", ");
    const what = saved.length === 0 ? `${parsed.why}; skipped` : `${parsed.why}; record ${numbers} in it was saved`;
    damage.push({ segment, line, bytes: length, what });
  }, maxLineBytes);

  await eachChunk(files, path, (chunk) => splitter.push(chunk));
  const { start, length } = splitter.rest;
  if (length > 0) damage.push({ segment, line: line + 1, bytes: length, what: "the last line is unfinished; skipped" });
  return { whole: start, fragment: length };
}

function historyOf(found: FoundRecords, damage: Damage[], formats: readonly number[]): Omit<Journal, "last"> {
  const history = found.isSound() ? found.records : settled(found, damage);
  // Also those that are left out below keep their numbers: no other record will ever have them.
  const lastSeq = history.at(-1)?.seq ?? 0;
  const lastEpoch = history.reduce((highest, { epoch }) => Math.max(highest, epoch), 0);
  const newer = newerOf(history, formats);
  const broken = new Set(history.filter((record) => !isSound(record)));
  if (broken.size === 0) return { events: history, damage, unread: [], lastSeq, lastEpoch, ...(newer && { newer }) };
  tellBroken(found, broken, damage);
  const events = history.filter((record) => !broken.has(record));
  return { events, damage, unread: [...broken].filter(isNewer), lastSeq, lastEpoch, ...(newer && { newer }) };
}

/** What its type does not allow is not told to anybody: all who read events trust their fields. */
function tellBroken(found: FoundRecords, broken: ReadonlySet<Recorded>, damage: Damage[]): void {
  for (let i = 0; i < found.records.length; i++) {
    const entry = found.at(i);
    if (!entry || isNewer(entry.record) || !broken.has(entry.record)) continue;
    const { segment, line, record } = entry;
    const what = `record ${record.seq} (${record.type}) lacks a field of its type, or one is damaged; skipped`;
    damage.push({ segment, line, bytes: Buffer.byteLength(JSON.stringify(record)), what });
  }
}

function settled(found: FoundRecords, damage: Damage[]): Recorded[] {
  const { events, rejected, gaps } = settle(found);
  for (const { segment, line, record, what } of rejected) {
    damage.push({ segment, line, bytes: Buffer.byteLength(JSON.stringify(record)), what });
  }
  for (const { segment, line, after, before } of gaps) {
    const what =
      before - after === 2 ? `record ${after + 1} is missing` : `records ${after + 1} to ${before - 1} are missing`;
    damage.push({ segment, line, bytes: 0, what });
  }
  return events;
}

async function eachChunk(files: LogFiles, path: string, visit: (chunk: Uint8Array) => void): Promise<void> {
  const fd = files.openRead(path);
  try {
    const buffer = Buffer.allocUnsafe(chunkBytes);
    for (let at = 0; ;) {
      const n = await files.read(fd, buffer, at);
      if (n > 0) visit(buffer.subarray(0, n));
      at += n;
      if (n < buffer.length) return;
    }
  } finally {
    files.close(fd);
  }
}
