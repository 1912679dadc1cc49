// Reads a tree that a newer version may have written in, before anything is made or locked: such a tree is not touched.
import { join } from "node:path";
import { isNewer } from "../../core/newer-format.ts";
import type { LogFiles } from "../../ports/log-files.ts";
import { refuseFolders } from "./folders.ts";
import { segmentName, segments, treeFolder, type TreePlace } from "./layout.ts";
import { readJournal, type Journal } from "./reader.ts";

const chunkBytes = 256 * 1024;
const newline = 10;
/** How every record begins: `{"v":`, its format, a comma. */
const headBytes = 20;

/** The whole journal where a line of it says that it is of a newer format; undefined where none does. */
export async function readNewer(files: LogFiles, place: TreePlace): Promise<Journal | undefined> {
  const folder = treeFolder(place);
  if (refuseFolders(files, place) !== undefined || !files.look(folder)) return undefined;
  for (const number of segments(files, folder))
    if (await hasNewer(files, join(folder, segmentName(number)))) return readJournal(files, folder);
  return undefined;
}

/** By the first bytes of its lines alone: this is done before every opening. */
async function hasNewer(files: LogFiles, path: string): Promise<boolean> {
  const fd = files.openRead(path);
  try {
    const buffer = Buffer.allocUnsafe(chunkBytes);
    // The beginning of a line that the last block cut in two; undefined inside a line.
    let head: string | undefined = "";
    for (let at = 0, n = buffer.length; n === buffer.length; at += n) {
      n = await files.read(fd, buffer, at);
      for (let from = 0; from < n;) {
        const end = buffer.indexOf(newline, from);
        const to: number = end < 0 || end >= n ? n : end;
        if (head !== undefined) {
          head += buffer.toString("latin1", from, Math.min(to, from + headBytes - head.length));
          if (saysNewer(head)) return true;
        }
        if (to < n) head = "";
        else if (head !== undefined && head.length >= headBytes) head = undefined;
        from = to + 1;
      }
    }
    return false;
  } finally {
    files.close(fd);
  }
}

function saysNewer(head: string): boolean {
  const format = /^\{"v":(\d{1,14}),/.exec(head)?.[1];
  return format !== undefined && isNewer({ v: Number(format) });
}
