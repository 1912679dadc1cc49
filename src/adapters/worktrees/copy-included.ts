// Brings files that git ignores and the project wants in copies all the same (`.worktreeinclude`), shared with the original
// where the system can. A copy holds nothing that does not stand in the project itself: no target of a link that leads
// out, no file with another name elsewhere, nothing that agents may not read.
import { constants, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { type FileHandle, copyFile, mkdir, open, realpath, symlink, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { LeftOut, WorktreeOrder } from "../../ports/worktrees.ts";
import { readBounded } from "../files/read-bounded.ts";
import { isAt } from "../workspaces/held-folder.ts";
import { type GitCall, runGit } from "./run-git.ts";

const INCLUDE_FILE = ".worktreeinclude";
const MOST_PATTERN_BYTES = 1024 * 1024;
const MOST_BYTES = 8 * 1024 * 1024 * 1024;

/** `listing` is a git folder of ours whose index has all that is in the copy already. */
export async function copyIncluded(
  { source, place, mayRead = () => true }: WorktreeOrder,
  listing: Omit<GitCall, "args"> & { readonly gitDir: string },
): Promise<readonly LeftOut[]> {
  const found = await readBounded(join(source, INCLUDE_FILE), { most: MOST_PATTERN_BYTES, within: source });
  if (!found.ok) return found.code === "missing" ? [] : [{ path: INCLUDE_FILE, reason: `it ${found.reason}` }];
  const patterns = join(listing.gitDir, "included");
  await writeFile(patterns, found.bytes);
  const args = ["ls-files", "--others", "--ignored", "-z", `--exclude-from=${patterns}`];
  const listed = await runGit({ ...listing, args, cwd: source });
  const leftOut: LeftOut[] = [];
  let room = MOST_BYTES;
  for (const path of listed.toString("utf8").split("\0").filter(Boolean)) {
    const from = join(source, path);
    const copied = mayRead(from)
      ? await copyOne(from, join(place, path), { source, room, mayRead }).catch(problemOf)
      : "agents may not read it";
    if (typeof copied === "string") leftOut.push({ path, reason: copied });
    else room -= copied;
  }
  return leftOut;
}

type Bounds = { readonly source: string; readonly room: number; mayRead(path: string): boolean };

/** The bytes it took, or why it was not copied. */
async function copyOne(from: string, to: string, bounds: Bounds): Promise<number | string> {
  const stat = lstatSync(from);
  if (stat.isSymbolicLink()) return copyLink(from, to, bounds);
  if (!stat.isFile()) return "it is not a regular file";
  if (stat.nlink > 1) return "it has another name, which may stand outside the project (a hard link)";
  if (stat.size > bounds.room) return `all together may have ${MOST_BYTES / 1024 ** 3} GB`;
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  await using file = await open(from, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  const now = await file.stat();
  if (!isAt(file, from) || !now.isFile() || now.nlink > 1) return "it is reached by a link";
  await makeWay(to);
  await copyFile(heldPath(file, from), to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  return now.size;
}

/** As the link it is, where it leads to something of the project by a relative way; never what it leads to. */
async function copyLink(from: string, to: string, { source, mayRead }: Bounds): Promise<number | string> {
  const target = readlinkSync(from);
  const leadsOut = "it is a link that leads out of the project";
  if (realpathSync(dirname(from)) !== dirname(from)) return "it is reached by a link";
  if (isAbsolute(target) || !isInside(source, resolve(dirname(from), target))) return leadsOut;
  const real = await realpath(from).catch(() => undefined);
  if (real === undefined) return "it is a link that leads nowhere";
  if (!isInside(source, real)) return leadsOut;
  if (!mayRead(real)) return "agents may not read what it leads to";
  await makeWay(to);
  await symlink(target, to);
  return 0;
}

/** No link of the copy is on the way. */
async function makeWay(to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  if ((await realpath(dirname(to))) !== dirname(to)) throw new Error("a link stands in the way");
}

/** The file that was looked at, whatever stands at its path by now. */
const heldPath = ({ fd }: FileHandle, path: string): string =>
  process.platform === "linux" ? `/proc/self/fd/${fd}` : path;

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

const problemOf = (error: Error): string => `it could not be copied: ${error.message}`;
