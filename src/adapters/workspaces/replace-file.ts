// Makes or replaces a file so that it is at every moment wholly old or wholly new: the new content is put together
// beside it, synced, and takes its name in one step.
import { constants, linkSync, lstatSync, realpathSync, renameSync, type BigIntStats } from "node:fs";
import { access, type FileHandle, lstat, mkdir, open, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { WriteOrder, Written } from "../../ports/workspace.ts";
import { fileProblem } from "./file-problem.ts";
import { hashOf, modeOf, stampOf } from "./file-version.ts";
import { inFolder } from "./held-folder.ts";
import { sweepTemps, tempName } from "./temp-names.ts";

/** What has just been done, for tests that stop there. */
export type WriteStep = "announced" | "folders" | "temp" | "half" | "written" | "mode" | "synced" | "named" | "ended";

/** `mode` overrides the permission bits that the file has. */
export type ReplaceOptions = { readonly mode?: number; step?(done: WriteStep): void };

export async function replaceFile(order: WriteOrder, options: ReplaceOptions = {}): Promise<Written> {
  const { path, bytes, expected } = order;
  const step = options.step ?? (() => {});
  const folder = dirname(path);
  const name = tempName();
  const after = hashOf(bytes);
  let folders: readonly string[] = [];
  try {
    const old = await oldFile(path);
    if (typeof old === "string") return { ok: false, stale: false, problem: old };
    if ((old ? stampOf(old) : null) !== expected) return stale(old);
    folders = missingFolders(folder);
    await order.announce({ after, temp: join(folder, name), folders });
    step("announced");
    for (const one of folders) await makeFolder(one);
    step("folders");
    return await inFolder(folder, async ({ at, sync }): Promise<Written> => {
      const [temp, target] = [join(at, name), join(at, basename(path))];
      await sweepTemps(at);
      try {
        await fill(temp, bytes, old, options.mode, step);
        const found = lookAt(target);
        if (realpathSync(folder) !== folder) return moved;
        // No await from here to the new name: nobody else of this process can come between.
        if ((found ? stampOf(found) : null) !== expected || !takeName(temp, target, expected === null))
          return stale(found);
        step("named");
      } finally {
        await rm(temp, { force: true });
      }
      await sync();
      step("ended");
      return { ok: true, version: { stamp: stampOf(await lstat(target, { bigint: true })), hash: after }, folders };
    });
  } catch (error) {
    for (const made of folders.toReversed()) await removeFolder(made).catch(() => {});
    const { code } = error as NodeJS.ErrnoException;
    return { ok: false, stale: code === "EMOVED", problem: fileProblem(error) };
  }
}

const makeFolder = (path: string): Promise<void> =>
  inFolder(dirname(path), async ({ at }) => {
    await mkdir(join(at, basename(path))).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  });

const removeFolder = (path: string): Promise<void> =>
  inFolder(dirname(path), ({ at }) => rmdir(join(at, basename(path))));

async function fill(
  temp: string,
  bytes: Uint8Array,
  old: BigIntStats | undefined,
  mode: number | undefined,
  step: (done: WriteStep) => void,
): Promise<void> {
  // The content of a private file must not be open to others before it has the file's own mode.
  const file = await open(temp, "wx", old || mode !== undefined ? 0o600 : 0o666);
  try {
    step("temp");
    const half = bytes.length >> 1;
    await writeAll(file, bytes.subarray(0, half));
    step("half");
    await writeAll(file, bytes.subarray(half));
    step("written");
    if (old) await keepOwner(file, old);
    const bits = mode ?? (old ? modeOf(old) : undefined);
    // After the owner: changing that clears bits.
    if (bits !== undefined) await file.chmod(bits);
    step("mode");
    await file.sync();
    step("synced");
  } finally {
    await file.close();
  }
}

/** False when somebody else has made a file of that name. */
function takeName(temp: string, path: string, fresh: boolean): boolean {
  try {
    if (fresh) linkSync(temp, path);
    else renameSync(temp, path);
    return true;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    // Some file systems know no links.
    if (!fresh || !["EPERM", "ENOTSUP", "EOPNOTSUPP", "EMLINK"].includes(code)) throw error;
    renameSync(temp, path);
    return true;
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at)).bytesWritten;
}

/** Where the system lets us; a file of a group we belong to becomes our own, as with any editor. */
async function keepOwner(file: FileHandle, old: BigIntStats): Promise<void> {
  const mine = await file.stat({ bigint: true });
  if (mine.uid === old.uid && mine.gid === old.gid) return;
  await file.chown(Number(old.uid), Number(old.gid)).catch(() => {});
}

/** The regular, writable file that stands there; undefined when there is none; otherwise why it cannot be written. */
async function oldFile(path: string): Promise<BigIntStats | undefined | string> {
  const old = lookAt(path);
  if (!old) return undefined;
  if (old.isDirectory()) return "is a folder, not a file";
  if (!old.isFile()) return "is not a regular file";
  try {
    await access(path, constants.W_OK);
  } catch {
    return "is read-only";
  }
  return old;
}

const lookAt = (path: string): BigIntStats | undefined => lstatSync(path, { bigint: true, throwIfNoEntry: false });

/** A link was laid on the way to the file since the path was judged. */
const moved: Written = { ok: false, stale: true, problem: "was moved meanwhile" };

const stale = (found: BigIntStats | undefined): Written => ({
  ok: false,
  stale: true,
  problem: found ? "was changed meanwhile" : "was removed meanwhile",
});

function missingFolders(folder: string): readonly string[] {
  const missing: string[] = [];
  for (let at = folder; !lookAt(at); at = dirname(at)) missing.unshift(at);
  return missing;
}
