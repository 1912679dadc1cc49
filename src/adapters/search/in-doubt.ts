// A search goes by names, and the folders may change under it. What it found in one that did is not believed, for a link
// may have stood there for a moment: such files are opened, seen to be where they seem, and searched again as opened.
import { constants, realpathSync, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Found, FoundLine } from "../../ports/search.ts";
import { isAt } from "../workspaces/held-folder.ts";

/** The clock of a file system goes in steps, and somewhat behind. */
const STEP_MS = 50;
const AT_ONCE = 64;

/** Those of the paths below the folder that lead through one whose entries have changed since then. */
export function inDoubt(folder: string, paths: Iterable<string>, since: number): ReadonlySet<string> {
  const known = new Map<string, boolean>();
  const isChanged = (inner: string): boolean => {
    const before = known.get(inner);
    if (before !== undefined) return before;
    const changed = changedSince(`${folder}/${inner}/.`, since) || (inner !== "." && isChanged(dirname(inner)));
    known.set(inner, changed);
    return changed;
  };
  return new Set([...new Set(paths)].filter((path) => isChanged(dirname(path))));
}

function changedSince(folder: string, since: number): boolean {
  try {
    return statSync(folder).ctimeMs > since - STEP_MS;
  } catch {
    return true;
  }
}

/** Whether this name, in a folder that is held, is really below the folder's path. */
export function isBelow(held: string, path: string, name: string): boolean {
  try {
    return realpathSync(`${held}/${name}`) === join(path, name);
  } catch {
    return false;
  }
}

/** The lines, with those of the doubted files as these are once opened; one that is elsewhere by now has none. */
export async function searchOpened(
  at: { readonly held: string; readonly folder: string },
  lines: readonly FoundLine[],
  doubted: ReadonlySet<string>,
  search: (files: readonly string[]) => Promise<Found>,
): Promise<readonly FoundLine[]> {
  const found = new Map(Map.groupBy(lines.filter(isOfFile), ({ path }) => path));
  const divided = lines.find((line) => !isOfFile(line));
  const names = [...doubted];
  for (const name of names) found.set(name, []);
  for (let from = 0; from < names.length; from += AT_ONCE)
    for (const line of await opened(at, names.slice(from, from + AT_ONCE), search)) found.get(line.path)?.push(line);
  const blocks = [...found.values()].filter((block) => block.length > 0);
  return blocks.flatMap((block, n) => (divided && n > 0 ? [divided, ...block] : block));
}

type FileLine = FoundLine & { readonly path: string };
const isOfFile = (line: FoundLine): line is FileLine => line.path !== undefined;

async function opened(
  { held, folder }: { readonly held: string; readonly folder: string },
  names: readonly string[],
  search: (files: readonly string[]) => Promise<Found>,
): Promise<FileLine[]> {
  const files = new Map<string, { readonly name: string; readonly handle: FileHandle }>();
  try {
    for (const name of names) {
      const handle = await openInside(held, folder, name);
      if (handle) files.set(`/proc/${process.pid}/fd/${handle.fd}`, { name, handle });
    }
    const found = files.size > 0 && (await search([...files.keys()]));
    if (!found || !found.ok) return [];
    return found.lines.filter(isOfFile).flatMap((line) => {
      const file = files.get(line.path);
      return file ? [{ ...line, path: file.name }] : [];
    });
  } finally {
    await Promise.all([...files.values()].map(({ handle }) => handle.close()));
  }
}

async function openInside(held: string, folder: string, name: string): Promise<FileHandle | undefined> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const handle = await open(`${held}/${name}`, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => undefined);
  if (handle && isAt(handle, join(folder, name)) && (await handle.stat()).isFile()) return handle;
  await handle?.close();
  return undefined;
}
