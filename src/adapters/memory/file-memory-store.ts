// Agents' memories as files. A project's memory lies in the project whatever links stand there, and the file itself is
// never a link: whoever may write it writes that file and no other.
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, realpath } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import type { MemoryPlace } from "../../core/memory.ts";
import type { MemoryStore, OpenedMemory } from "../../ports/memory-store.ts";
import { fileProblem } from "../workspaces/file-problem.ts";
import { hashOf } from "../workspaces/file-version.ts";
import { realPath } from "../workspaces/real-path.ts";

/** What is longer is shown in part, and must be read before it is changed. */
const MOST_BYTES = 1024 * 1024;

export const fileMemoryStore: MemoryStore = { open: openMemory };

async function openMemory({ path, within }: MemoryPlace): Promise<OpenedMemory> {
  try {
    const folder = dirname(path);
    // Before anything is made: a link must not have folders made where it leads.
    if (within !== undefined && !isInside(within, await realPath(folder))) return leadsOut;
    await mkdir(folder, { recursive: true });
    const real = await realpath(folder);
    if (within !== undefined && !isInside(within, real)) return leadsOut;
    // The project's is shared as its other files are; a person's own is theirs.
    return await readOrMake(join(real, basename(path)), within === undefined ? 0o600 : 0o666);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return {
      ok: false,
      problem: code === "ELOOP" ? "it is a link, which is not followed" : `it ${fileProblem(error)}`,
    };
  }
}

async function readOrMake(path: string, mode: number): Promise<OpenedMemory> {
  // Neither waiting for the other end of a pipe nor following a link.
  const { O_RDONLY, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode);
  try {
    const stat = await file.stat();
    if (!stat.isFile()) return { ok: false, problem: "it is not a regular file" };
    const bytes = await readUpTo(file, MOST_BYTES + 1);
    const whole = bytes.length <= MOST_BYTES;
    return { ok: true, path, text: bytes.toString("utf8"), ...(whole && { hash: hashOf(bytes) }) };
  } finally {
    await file.close();
  }
}

async function readUpTo(file: FileHandle, most: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let size = 0; size < most;) {
    const part = Buffer.allocUnsafe(Math.min(64 * 1024, most - size));
    const { bytesRead } = await file.read(part, 0, part.length, size);
    if (bytesRead === 0) break;
    parts.push(part.subarray(0, bytesRead));
    size += bytesRead;
  }
  return Buffer.concat(parts);
}

const leadsOut = { ok: false, problem: "it is behind a link that leads out of the project" } as const;
const isInside = (root: string, path: string): boolean => path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
