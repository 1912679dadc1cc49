// Goes through a tree's records one after the other, holding no more than one: for searches over everything there is.
import { join } from "node:path";
import type { Recorded } from "../../core/events.ts";
import type { LogFiles } from "../../ports/log-files.ts";
import { LineSplitter } from "../../std/jsonl.ts";
import { refuseFolders } from "./folders.ts";
import { segmentName, segments, treeFolder, type TreePlace } from "./layout.ts";
import { isNewer, parseRecord } from "./record.ts";
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
  if (read.is === "read") read.events.forEach(visit);
}

/** False as soon as something is not as a sound journal has it. */
async function scanSound(files: LogFiles, folder: string, visit: (record: Recorded) => void): Promise<boolean> {
  const numbers = segments(files, folder);
  if (numbers.length !== 1 || numbers[0] !== 1) return numbers.length === 0;
  let sound = true;
  let [seq, epoch] = [0, 0];
  const splitter = new LineSplitter((bytes, _start, length) => {
    const parsed = sound && length === bytes.length ? parseRecord(bytes) : undefined;
    const record = parsed?.is === "record" ? parsed.record : undefined;
    sound = record !== undefined && !isNewer(record) && record.seq === seq + 1 && record.epoch >= epoch;
    if (!sound || !record) return;
    ({ seq, epoch } = record);
    visit(record);
  }, maxLine);
  const fd = files.openRead(join(folder, segmentName(1)));
  try {
    const buffer = Buffer.allocUnsafe(chunkBytes);
    for (let at = 0, n = buffer.length; sound && n === buffer.length; at += n) {
      n = await files.read(fd, buffer, at);
      splitter.push(buffer.subarray(0, n));
    }
  } finally {
    files.close(fd);
  }
  // An unfinished last line is left out by a full reading too.
  return sound;
}
