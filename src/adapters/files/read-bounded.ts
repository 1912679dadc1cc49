// Reads a file that a project chose: a regular file only, at most so many bytes, and without ever waiting for anybody. A
// pipe, a device, an endless file or a link that leads out is an answer with a reason, and never a hang.
import {
  type Stats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  read,
  readSync,
  readlinkSync,
  realpathSync,
  statSync,
} from "node:fs";
import { sep } from "node:path";
import { promisify } from "node:util";

export type ReadLimits = {
  readonly most: number;
  /** Of a longer file its first bytes are read; left out, it is refused. */
  readonly cut?: true;
  /** A path that ends in a link is refused. */
  readonly noLink?: true;
  /** The real path of a folder: what is opened must stand in it, whatever links lead there. */
  readonly within?: string;
};

export type BoundedRead =
  | { readonly ok: true; readonly bytes: Buffer; readonly cut: boolean; readonly mtimeMs: number }
  | { readonly ok: false; readonly code: ReadFailure; readonly reason: string };

export type ReadFailure = "missing" | "link" | "outside" | "not-a-file" | "too-large" | "unreadable";

/** For small files: what takes microseconds takes longer through the thread pool. */
export function readBoundedSync(path: string, limits: ReadLimits): BoundedRead {
  const file = openRegular(path, limits);
  if ("ok" in file) return file;
  try {
    let bytes = roomFor(file.stat.size, limits.most);
    for (let length = 0; ;) {
      const n = readSync(file.fd, bytes, length, bytes.length - length, null);
      length += n;
      if (n === 0 || length > limits.most) return outcome(bytes.subarray(0, length), file.stat.mtimeMs, limits);
      if (length === bytes.length) bytes = grown(bytes, limits.most);
    }
  } catch (error) {
    return failure(error);
  } finally {
    closeSync(file.fd);
  }
}

const readSome = promisify(read);

export async function readBounded(path: string, limits: ReadLimits): Promise<BoundedRead> {
  const file = openRegular(path, limits);
  if ("ok" in file) return file;
  try {
    let bytes = roomFor(file.stat.size, limits.most);
    for (let length = 0; ;) {
      const { bytesRead } = await readSome(file.fd, bytes, length, bytes.length - length, null);
      length += bytesRead;
      if (bytesRead === 0 || length > limits.most) return outcome(bytes.subarray(0, length), file.stat.mtimeMs, limits);
      if (length === bytes.length) bytes = grown(bytes, limits.most);
    }
  } catch (error) {
    return failure(error);
  } finally {
    closeSync(file.fd);
  }
}

/** The text of a small file; undefined for anything else. */
export async function readSmallText(path: string, limits: ReadLimits): Promise<string | undefined> {
  const found = await readBounded(path, limits);
  return found.ok ? found.bytes.toString("utf8") : undefined;
}

type Opened = { readonly fd: number; readonly stat: Stats };

function openRegular(path: string, { most, cut, noLink, within }: ReadLimits): Opened | (BoundedRead & { ok: false }) {
  try {
    // Before it is opened: to open some devices is to use them.
    const there = noLink ? lstatSync(path) : statSync(path);
    if (there.isSymbolicLink()) return refused("link", "is a symbolic link, which is not followed here");
    if (!there.isFile()) return refused("not-a-file", "is not a file");
    const { O_RDONLY, O_NONBLOCK, O_NOCTTY, O_NOFOLLOW } = constants;
    const fd = openSync(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | (noLink ? O_NOFOLLOW : 0));
    const stat = fstatSync(fd);
    const problem = !stat.isFile()
      ? refused("not-a-file", "is not a file")
      : within !== undefined && !isInside(within, realOf(fd, path))
        ? refused("outside", "leads out of its folder by a link")
        : stat.size > most && !cut
          ? refused("too-large", tooLarge(most))
          : undefined;
    if (problem) closeSync(fd);
    return problem ?? { fd, stat };
  } catch (error) {
    return failure(error);
  }
}

function outcome(bytes: Buffer, mtimeMs: number, { most, cut }: ReadLimits): BoundedRead {
  if (bytes.length <= most) return { ok: true, bytes, cut: false, mtimeMs };
  return cut ? { ok: true, bytes: bytes.subarray(0, most), cut: true, mtimeMs } : refused("too-large", tooLarge(most));
}

/** One byte more than may be, which tells a file that is too long. Files of /proc say they are empty. */
const roomFor = (size: number, most: number): Buffer =>
  Buffer.allocUnsafe(Math.min(size === 0 ? 4_096 : size, most) + 1);

function grown(bytes: Buffer, most: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.min(2 * bytes.length, most + 1));
  bytes.copy(larger);
  return larger;
}

/** What was opened, not what the path leads to by now. */
function realOf(fd: number, path: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return realpathSync(path);
  }
}

const isInside = (folder: string, path: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);

function tooLarge(most: number): string {
  return `is too large: at most ${most >= 1024 * 1024 ? `${most / 1024 / 1024} MB` : `${most / 1024} kB`} are read`;
}

const refused = (code: ReadFailure, reason: string) => ({ ok: false, code, reason }) as const;

function failure(error: unknown): BoundedRead & { ok: false } {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return refused("missing", "does not exist");
    case "ELOOP":
      return refused("link", "is a symbolic link, which is not followed here");
    case "ENXIO":
    case "EISDIR":
      return refused("not-a-file", "is not a file");
    case "EACCES":
    case "EPERM":
      return refused("unreadable", "cannot be read: permission denied");
    default:
      return refused("unreadable", `cannot be read (${code ?? message})`);
  }
}
