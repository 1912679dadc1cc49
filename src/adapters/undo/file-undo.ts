// What a tree's edits replaced, as files of the tree: content under its hash, and a line per write in writes.jsonl.
// Everything is made exclusively, for its owner only, and synced before the write it stands for may happen.
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, link, lstat, mkdir, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { NotedWrite, Undo } from "../../ports/undo.ts";

export type FileUndo = Undo & {
  /** Content that was kept; undefined when it is not there. */
  content(hash: string): Promise<Buffer | undefined>;
  /** Every noted write, oldest first. A line that a crash cut off is left out: its write did not happen. */
  notes(): Promise<readonly NotedWrite[]>;
};

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

export function createFileUndo(folder: string): FileUndo {
  const blob = (hash: string): string => join(folder, hash);
  const notesFile = join(folder, "writes.jsonl");

  return {
    async keep(hash, bytes) {
      await makeFolder(folder);
      if (await exists(blob(hash))) return;
      const temp = join(folder, `.${hash}.${randomBytes(6).toString("hex")}.tmp`);
      try {
        await withFile(temp, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, async (file) => {
          await file.writeFile(bytes);
          await file.sync();
        });
        await link(temp, blob(hash)).catch(unlessExists);
      } finally {
        await rm(temp, { force: true });
      }
      await syncFolder(folder);
    },

    async note(write) {
      await makeFolder(folder);
      const known = await exists(notesFile);
      const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW } = constants;
      await withFile(notesFile, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, async (file) => {
        // Begins with a line's end: a line that a crash cut off must not swallow this one.
        await file.writeFile(`\n${JSON.stringify(write)}\n`);
        await file.datasync();
      });
      if (!known) await syncFolder(folder);
    },

    async content(hash) {
      return /^[0-9a-f]{64}$/.test(hash) ? readFile(blob(hash)).catch(() => undefined) : undefined;
    },

    async notes() {
      const text = await readFile(notesFile, "utf8").catch(() => "");
      return text.split("\n").flatMap((line) => parsed(line));
    },
  };
}

function parsed(line: string): NotedWrite[] {
  try {
    const value = JSON.parse(line) as Partial<NotedWrite> | null;
    return typeof value?.path === "string" && isHash(value.after) ? [value as NotedWrite] : [];
  } catch {
    return [];
  }
}

const isHash = (value: unknown): boolean => value === null || typeof value === "string";

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: PRIVATE_FOLDER });
    return;
  } catch (error) {
    unlessExists(error);
  }
  if (!(await lstat(path)).isDirectory()) throw new Error(`${path} is not a folder of ours: move it away`);
}

async function withFile(path: string, flags: number, use: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await open(path, flags, PRIVATE_FILE);
  try {
    await use(file);
  } finally {
    await file.close();
  }
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    (stat) => stat.isFile(),
    () => false,
  );

function unlessExists(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
}

async function syncFolder(path: string): Promise<void> {
  await withFile(path, constants.O_RDONLY | constants.O_DIRECTORY, (folder) => folder.sync());
}
