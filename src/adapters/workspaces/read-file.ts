// Reads regular files and nothing else: a FIFO, a device or an endless file costs neither time nor memory.
import { constants, type BigIntStats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { FileSlice, WholeFile } from "../../ports/workspace.ts";
import { fileProblem } from "./file-problem.ts";
import { hashOf, modeOf, stampOf } from "./file-version.ts";
import { isAt } from "./held-folder.ts";

const MOST_BYTES_SCANNED = 256 * 1024 * 1024;
const MOST_BYTES_KEPT = 2 * 1024 * 1024;
/** What is smaller is hashed whole, so that a later edit knows for certain what was read. */
const MOST_BYTES_HASHED = 4 * 1024 * 1024;
const CHUNK = 256 * 1024;

export async function readLines(path: string, from: number, count: number, signal: AbortSignal): Promise<FileSlice> {
  const opened = await openRegular(path);
  if (!opened.ok) return opened;
  const { file, stat } = opened;
  try {
    const whole = await readUpTo(file, MOST_BYTES_HASHED, stat.size, signal);
    if (whole && looksBinary(whole)) return { ok: false, problem: "is not a text file" };
    const scan = createScan(from, count);
    if (whole) scan.take(whole);
    else {
      const problem = await scanFile(file, scan, signal);
      if (problem) return { ok: false, problem };
    }
    return { ok: true, ...scan.finish(), version: { stamp: stampOf(stat), ...(whole && { hash: hashOf(whole) }) } };
  } catch (error) {
    signal.throwIfAborted();
    return { ok: false, problem: fileProblem(error) };
  } finally {
    await file.close();
  }
}

export async function readWhole(path: string, most: number, signal: AbortSignal): Promise<WholeFile> {
  const opened = await openRegular(path);
  if (!opened.ok) return opened;
  const { file, stat } = opened;
  try {
    const tooLarge = { ok: false, missing: false, problem: `is larger than ${most / 1024 / 1024} MB` } as const;
    if (stat.size > BigInt(most)) return tooLarge;
    const bytes = await readUpTo(file, most, stat.size, signal);
    if (!bytes) return tooLarge;
    return { ok: true, bytes, version: { stamp: stampOf(stat), hash: hashOf(bytes) }, mode: modeOf(stat) };
  } catch (error) {
    signal.throwIfAborted();
    return { ok: false, missing: false, problem: fileProblem(error) };
  } finally {
    await file.close();
  }
}

type Opened =
  | { readonly ok: true; readonly file: FileHandle; readonly stat: BigIntStats }
  | { readonly ok: false; readonly missing: boolean; readonly problem: string };

async function openRegular(path: string): Promise<Opened> {
  let file: FileHandle;
  try {
    // Not blocking: opening a FIFO must not wait for a writer.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY | constants.O_NOFOLLOW);
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    return { ok: false, missing, problem: fileProblem(error) };
  }
  const stat = await file.stat({ bigint: true });
  const isThere = isAt(file, path);
  if (isThere && stat.isFile()) return { ok: true, file, stat };
  await file.close();
  if (!isThere) return { ok: false, missing: false, problem: "was moved meanwhile" };
  const problem = stat.isDirectory() ? "is a folder, not a file" : "is not a regular file";
  return { ok: false, missing: false, problem };
}

const SMALL = 4 * 1024;

/** Everything in the file, or undefined when that is more than `most`. `expected` only says how much to make room for. */
async function readUpTo(
  file: FileHandle,
  most: number,
  expected: bigint,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for (;;) {
    signal.throwIfAborted();
    // One byte more than there should be: the end shows without a further read.
    const room = Math.max(SMALL, Number(expected) - size + 1);
    const part = Buffer.allocUnsafe(Math.min(CHUNK, most + 1 - size, room));
    const { bytesRead } = await file.read(part, 0, part.length, size);
    if (bytesRead === 0) return Buffer.concat(parts, size);
    parts.push(part.subarray(0, bytesRead));
    size += bytesRead;
    if (size > most) return undefined;
    if (expected > 0n && BigInt(size) === expected && bytesRead < part.length) return Buffer.concat(parts, size);
  }
}

async function scanFile(file: FileHandle, scan: Scan, signal: AbortSignal): Promise<string | undefined> {
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (let scanned = 0; scanned < MOST_BYTES_SCANNED;) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, CHUNK, scanned);
    const chunk = buffer.subarray(0, bytesRead);
    if (scanned === 0 && looksBinary(chunk)) return "is not a text file";
    if (bytesRead === 0 || scan.take(chunk)) return undefined;
    scanned += bytesRead;
  }
  return `is too large to read past ${MOST_BYTES_SCANNED} bytes`;
}

const looksBinary = (bytes: Buffer): boolean => bytes.subarray(0, 8_000).includes(0);

type Scan = {
  /** True when everything wanted is there. */
  take(chunk: Buffer): boolean;
  finish(): { lines: readonly string[]; from: number; more: boolean; bytes: number };
};

/** Picks `count` lines out of a stream of bytes, beginning with line `from`. */
function createScan(from: number, count: number): Scan {
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let line = 1;
  let more = false;
  return {
    take(chunk) {
      for (let at = 0; at < chunk.length;) {
        const end = chunk.indexOf(10, at);
        const stop = end < 0 ? chunk.length : end + 1;
        if (line >= from + count || keptBytes >= MOST_BYTES_KEPT) return (more = true);
        if (line >= from) {
          const piece = chunk.subarray(at, Math.min(stop, at + MOST_BYTES_KEPT - keptBytes));
          kept.push(Buffer.from(piece));
          keptBytes += piece.length;
        }
        if (end >= 0) line++;
        at = stop;
      }
      return false;
    },
    finish() {
      const all = Buffer.concat(kept).toString("utf8");
      const lines = all === "" ? [] : all.replace(/\r?\n$/, "").split(/\r?\n/);
      return { lines, from, more, bytes: keptBytes };
    },
  };
}
