// Goes through a tree's records one after the other, holding no more than one: for searches over everything there is.
import { join } from "node:path";
import { isSound } from "../../core/event-shape.ts";
import type { Recorded } from "../../core/events.ts";
import { inOrder, isNewer } from "../../core/newer-format.ts";
import type { LogFiles } from "../../ports/log-files.ts";
import { LineSplitter } from "../../std/jsonl.ts";
import { refuseFolders } from "./folders.ts";
import { segmentName, segments, treeFolder, type TreePlace } from "./layout.ts";
import { parseRecord } from "./record.ts";
import { readTree } from "./read-tree.ts";

const chunkBytes = 256 * 1024;
/** Longer lines are left to a full reading. */
const maxLine = 16 * 1024 * 1024;

/**
 * Visits what a full reading would give. Where the journal is not sound that is what is done, and the visitor, which
 * may have seen some records already, is told to begin again.
 */
export async function scanTree(
  files: LogFiles,
  place: TreePlace,
  visit: (record: Recorded) => void,
  beginAgain: () => void,
): Promise<void> {
  if (refuseFolders(files, place) !== undefined) return;
  if (await scanSound(files, treeFolder(place), visit)) return;
  beginAgain();
  const read = await readTree(files, place);
  if (read.is === "read") inOrder(read.events, read.unread).forEach(visit);
}

/** False as soon as something is not as a sound journal has it. */
async function scanSound(files: LogFiles, folder: string, visit: (record: Recorded) => void): Promise<boolean> {
  const numbers = segments(files, folder);
  if (numbers.length !== 1 || numbers[0] !== 1) return numbers.length === 0;
  const at = { sound: true, seq: 0, epoch: 0 };
  const splitter = new LineSplitter((bytes, _start, length) => {
    const parsed = at.sound && length === bytes.length ? parseRecord(bytes) : undefined;
    const record = parsed?.is === "record" ? parsed.record : undefined;
    at.sound =
      record !== undefined &&
      !isNewer(record) &&
      isSound(record) &&
      record.seq === at.seq + 1 &&
      record.epoch >= at.epoch;
    if (!at.sound || !record) return;
    at.seq = record.seq;
    at.epoch = record.epoch;
    visit(record);
  }, maxLine);
  const fd = files.openRead(join(folder, segmentName(1)));
  try {
    const buffer = Buffer.allocUnsafe(chunkBytes);
    for (let from = 0, n = buffer.length; at.sound && n === buffer.length; from += n) {
      n = await files.read(fd, buffer, from);
      splitter.push(buffer.subarray(0, n));
    }
  } finally {
    files.close(fd);
  }
  // An unfinished last line is left out by a full reading too.
  return at.sound;
}
