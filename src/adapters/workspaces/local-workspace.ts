// A folder of this machine as an agent's workspace. Reading is bounded in time and memory whatever a path names.
import { constants } from "node:fs";
import { type FileHandle, open, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { FileSlice, Workspace } from "../../ports/workspace.ts";

const MOST_BYTES_SCANNED = 256 * 1024 * 1024;
const MOST_BYTES_KEPT = 2 * 1024 * 1024;
const CHUNK = 256 * 1024;

export function createLocalWorkspace(cwd: string): Workspace {
  return {
    cwd,
    resolve: (path) => realPath(resolve(cwd, path)),
    readLines: async (path, from, count, signal) => {
      let file: FileHandle;
      try {
        // Not blocking: opening a FIFO must not wait for a writer.
        file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
      } catch (error) {
        return { ok: false, problem: openProblem(error) };
      }
      try {
        const stat = await file.stat();
        if (stat.isDirectory()) return { ok: false, problem: "is a folder, not a file" };
        if (!stat.isFile()) return { ok: false, problem: "is not a regular file" };
        return await readSlice(file, from, count, signal);
      } catch (error) {
        return { ok: false, problem: openProblem(error) };
      } finally {
        await file.close();
      }
    },
  };
}

async function readSlice(file: FileHandle, from: number, count: number, signal: AbortSignal): Promise<FileSlice> {
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let line = 1;
  let scanned = 0;
  let more = false;
  const buffer = Buffer.allocUnsafe(CHUNK);
  scan: for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, CHUNK, scanned);
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    if (scanned === 0 && chunk.subarray(0, 8_000).includes(0)) return { ok: false, problem: "is not a text file" };
    scanned += bytesRead;
    for (let at = 0; at < chunk.length;) {
      const end = chunk.indexOf(10, at);
      const stop = end < 0 ? chunk.length : end + 1;
      if (line >= from + count || keptBytes >= MOST_BYTES_KEPT) {
        more = true;
        break scan;
      }
      if (line >= from) {
        const piece = chunk.subarray(at, Math.min(stop, at + MOST_BYTES_KEPT - keptBytes));
        kept.push(Buffer.from(piece));
        keptBytes += piece.length;
      }
      if (end >= 0) line++;
      at = stop;
    }
    if (scanned >= MOST_BYTES_SCANNED)
      return { ok: false, problem: `is too large to read past ${MOST_BYTES_SCANNED} bytes` };
  }
  const all = Buffer.concat(kept).toString("utf8");
  const lines = all === "" ? [] : all.replace(/\r?\n$/, "").split(/\r?\n/);
  return { ok: true, lines, from, more, bytes: keptBytes };
}

/** Links followed as far as the path exists; the rest is taken as written. */
async function realPath(path: string, hops = 0): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || dirname(path) === path) return path;
  }
  const target = hops < 40 ? await readlink(path).catch(() => undefined) : undefined;
  if (target !== undefined) return realPath(resolve(dirname(path), target), hops + 1);
  return join(await realPath(dirname(path), hops), basename(path));
}

function openProblem(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return "does not exist";
  if (code === "EACCES" || code === "EPERM") return "may not be read (permission denied)";
  if (code === "ELOOP") return "is a loop of links";
  if (code === "ENAMETOOLONG") return "has too long a name";
  if (code === "ENXIO") return "is not a regular file";
  return `cannot be read: ${message}`;
}
