// The lines of a file from its end, without reading more of it than is asked for.
import type { LogFiles } from "../../ports/log-files.ts";

const newline = 10;

/** Yields nothing for an empty file. The first line is marked when the file does not end with a newline. */
export async function* readBackwards(
  files: LogFiles,
  path: string,
  blockBytes = 64 * 1024,
): AsyncGenerator<{ readonly bytes: Buffer; readonly finished: boolean }> {
  const fd = files.openRead(path);
  try {
    let from = files.size(fd);
    let rest = Buffer.alloc(0);
    let finished = false;
    let first = true;
    while (from > 0) {
      const length = Math.min(blockBytes, from);
      from -= length;
      const block = Buffer.allocUnsafe(length);
      const n = await files.read(fd, block, from);
      rest = Buffer.concat([block.subarray(0, n), rest]);
      if (first && rest.at(-1) === newline) {
        finished = true;
        rest = rest.subarray(0, -1);
      }
      first = false;
      for (let at = rest.lastIndexOf(newline); at !== -1; at = rest.lastIndexOf(newline)) {
        yield { bytes: rest.subarray(at + 1), finished };
        finished = true;
        rest = rest.subarray(0, at);
      }
      // A line longer than a block would otherwise be copied once for every block.
      blockBytes = Math.max(blockBytes, rest.length);
    }
    if (!first) yield { bytes: rest, finished };
  } finally {
    files.close(fd);
  }
}
