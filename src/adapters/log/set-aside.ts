// Moves an unfinished last line out of the journal, so that the next record starts on a line of its own.
// It is copied to `damaged/` and the copy is durable before the journal is cut: at no moment is there less than one
// copy. (A new segment would do without cutting, but leave a file that line tools stumble over for ever.)
import { basename, join } from "node:path";
import type { LogFiles } from "../../ports/log-files.ts";
import { errorCode } from "../../ports/log-files.ts";
import { damagedFolder, segmentName } from "./layout.ts";
import type { SegmentEnd } from "./reader.ts";

/** Gives the name of the kept copy, relative to the tree's folder. */
export async function setAside(files: LogFiles, folder: string, end: SegmentEnd): Promise<string> {
  const segment = join(folder, segmentName(end.number));
  const damaged = damagedFolder(folder);
  files.makeFolder(damaged);
  const copy = await copyTail(files, segment, end, join(damaged, `${basename(segment)}.${end.whole}`));
  await files.syncFolder(damaged);
  await files.syncFolder(folder);
  const fd = files.openAppend(segment, false);
  try {
    files.truncate(fd, end.whole);
    await files.sync(fd);
  } finally {
    files.close(fd);
  }
  return join(basename(damaged), basename(copy));
}

async function copyTail(files: LogFiles, segment: string, end: SegmentEnd, wanted: string): Promise<string> {
  const from = files.openRead(segment);
  const { fd, path } = openUnused(files, wanted);
  try {
    const buffer = Buffer.allocUnsafe(64 * 1024);
    for (let done = 0; done < end.fragment;) {
      const n = await files.read(
        from,
        buffer.subarray(0, Math.min(buffer.length, end.fragment - done)),
        end.whole + done,
      );
      if (n === 0) break;
      for (let at = 0; at < n;) at += files.write(fd, buffer.subarray(at), n - at);
      done += n;
    }
    await files.sync(fd);
  } finally {
    files.close(fd);
    files.close(from);
  }
  return path;
}

/** An earlier fragment may have been cut off at the same place: it is never overwritten. */
function openUnused(files: LogFiles, wanted: string): { fd: number; path: string } {
  for (let n = 1; ; n++) {
    const path = n === 1 ? wanted : `${wanted}.${n}`;
    try {
      return { fd: files.openAppend(path, true), path };
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
  }
}
