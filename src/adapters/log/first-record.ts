// The first record of a journal or a session's file, without reading the rest.
import type { Recorded } from "../../core/events.ts";
import { isUnderstood } from "../../core/newer-format.ts";
import { isSound } from "../../core/event-shape.ts";
import type { LogFiles } from "../../ports/log-files.ts";
import { parseRecord } from "./record.ts";

/** A child's first record holds its prompt and task: it may be long, but not endless. */
const sizes = [16 * 1024, 16 * 1024 * 1024] as const;

export async function readFirstRecord(files: LogFiles, path: string): Promise<Recorded | undefined> {
  const fd = files.openRead(path);
  try {
    for (const size of sizes) {
      const buffer = Buffer.allocUnsafe(size);
      const n = await files.read(fd, buffer, 0);
      const end = buffer.subarray(0, n).indexOf(10);
      if (end === -1 && n === size) continue;
      const parsed = end === -1 ? undefined : parseRecord(buffer.subarray(0, end));
      const record = parsed?.is === "record" ? parsed.record : undefined;
      return record && isUnderstood(record) && isSound(record) ? record : undefined;
    }
    return undefined;
  } finally {
    files.close(fd);
  }
}
