// What a command reads on stdin, as a file without a name: a command that does not read it waits for nothing and breaks
// no pipe, and `/dev/stdin` can be opened again, which a socket cannot.
import { constants, closeSync, openSync, unlinkSync, writeSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A descriptor that stands at the first byte; the caller closes it. */
export function inputFile(text: string): number {
  const path = join(tmpdir(), `sous-input-${randomUUID()}`);
  const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    unlinkSync(path);
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at, bytes.length - at, at);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}
