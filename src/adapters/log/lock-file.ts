// What stands in a lock file, and how it comes to stand there whole.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { isObject } from "../../core/json.ts";
import type { LogFiles } from "../../ports/log-files.ts";
import { errorCode } from "../../ports/log-files.ts";

/** A process that cannot be confused with a later one of the same number. */
export type OwnerIdentity = {
  readonly pid: number;
  readonly startTime: string;
  readonly bootId: string;
  readonly pidNamespace: string;
};

export type LockContent = OwnerIdentity & {
  /** What it runs, for people: `sous run`. */
  readonly command: string;
  /** ms since 1970. */
  readonly since: number;
  readonly released: boolean;
};

const temporary = "lock-new-";
/** Left by a process that died within a moment; nobody takes this long to link. */
const staleMs = 60_000;

/** Brings complete content to `place` by way of a file of our own: no reader ever sees half a lock. */
export function putLock(
  files: LogFiles,
  folder: string,
  content: LockContent,
  place: (temporary: string) => void,
): void {
  const path = join(folder, temporary + randomUUID());
  const fd = files.openAppend(path, true);
  try {
    try {
      const bytes = Buffer.from(`${JSON.stringify(content)}\n`);
      for (let at = 0; at < bytes.length;) at += files.write(fd, bytes.subarray(at), bytes.length - at);
    } finally {
      files.close(fd);
    }
    place(path);
  } finally {
    tryToRemove(files, path);
  }
}

export type LockReading = LockContent | "gone" | "ruined" | "foreign";

/** "ruined": its bytes were lost with the power, as no living owner's are. "foreign": another version's. */
export async function readLock(files: LogFiles, path: string): Promise<LockReading> {
  try {
    const fd = files.openRead(path);
    try {
      const buffer = Buffer.alloc(4096);
      const value: unknown = JSON.parse(buffer.toString("utf8", 0, await files.read(fd, buffer, 0)));
      return isContent(value) ? value : "foreign";
    } finally {
      files.close(fd);
    }
  } catch (error) {
    if (errorCode(error) === "ENOENT") return "gone";
    if (error instanceof SyntaxError) return "ruined";
    throw error;
  }
}

export function removeIfThere(files: LogFiles, path: string): void {
  try {
    files.unlink(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}

/** Only tidying: whatever is left is swept by a later owner. */
export function tryToRemove(files: LogFiles, path: string): void {
  try {
    files.unlink(path);
  } catch {
    // It was renamed away, or the disk refuses.
  }
}

export function sweepTemporary(files: LogFiles, folder: string, now: number): void {
  for (const name of files.list(folder)) {
    if (!name.startsWith(temporary)) continue;
    const path = join(folder, name);
    if (now - (files.look(path)?.modified ?? now) > staleMs) tryToRemove(files, path);
  }
}

function isContent(value: unknown): value is LockContent {
  return (
    isObject(value) &&
    typeof value["pid"] === "number" &&
    typeof value["startTime"] === "string" &&
    typeof value["bootId"] === "string" &&
    typeof value["pidNamespace"] === "string" &&
    typeof value["command"] === "string" &&
    typeof value["since"] === "number" &&
    typeof value["released"] === "boolean"
  );
}
