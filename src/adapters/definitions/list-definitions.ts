// Finds definition files below a folder: a bounded number of them, following no link out of it.
import { type Dirent, statSync } from "node:fs";
import { lstat, opendir, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import type { DefinitionFolder, FolderListing, FoundFile } from "../../ports/definition-files.ts";
import { fileProblem } from "../workspaces/file-problem.ts";
import { stampOf } from "../workspaces/file-version.ts";

export const MOST_FILES = 5_000;
const MOST_ENTRIES = 50_000;
const MOST_DEPTH = 12;
/** An agent's memory is its own; the rest is never an agent's definition. */
const NEVER = new Set(["memory", "node_modules", ".git"]);

type Search = {
  readonly root: string;
  readonly endings: readonly string[];
  entries: number;
  readonly found: string[];
  readonly problems: Problem[];
};
type Problem = FolderListing["problems"][number];

export async function listDefinitions({ path, endings, within, direct }: DefinitionFolder): Promise<FolderListing> {
  const real = await realPlace(path);
  if (real === undefined) return { exists: false, files: [], problems: [] };
  if (endings.length === 0) return { exists: true, files: [], problems: [] };
  if (within !== undefined && !isInside(within, real))
    return {
      exists: true,
      files: [],
      problems: [{ file: path, message: "it is a link that leads out of the project" }],
    };
  if (direct && real !== path)
    return {
      exists: true,
      files: [],
      problems: [{ file: path, message: "it is reached by a link, which is not followed in a project" }],
    };
  const search: Search = { root: real, endings, entries: 0, found: [], problems: [] };
  if ((await stat(real)).isDirectory()) await walk(search, path, 0);
  else search.found.push(path);
  const files = await Promise.all(search.found.toSorted().slice(0, MOST_FILES).map(stamped));
  if (search.found.length > MOST_FILES || search.entries > MOST_ENTRIES)
    search.problems.push({ file: path, message: `it holds too many files: only ${files.length} are read` });
  return { exists: true, files: files.filter((file) => file !== undefined), problems: search.problems };
}

async function walk(search: Search, folder: string, depth: number): Promise<void> {
  if (depth > MOST_DEPTH) return void search.problems.push({ file: folder, message: "it lies too deep" });
  const folders: string[] = [];
  try {
    for await (const entry of await opendir(folder, { bufferSize: 64 })) {
      if (++search.entries > MOST_ENTRIES) return;
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !NEVER.has(entry.name)) folders.push(path);
      else if (isDefinition(search, entry.name) && (await isOurs(search, entry, path))) search.found.push(path);
      else if (entry.isSymbolicLink()) await tellOfLinkedFolder(search, path);
    }
  } catch (error) {
    search.problems.push({ file: folder, message: `it ${fileProblem(error)}` });
  }
  for (const next of folders.toSorted()) await walk(search, next, depth + 1);
}

const isDefinition = ({ endings }: Search, name: string): boolean =>
  endings.some((ending) => name.toLowerCase().endsWith(ending)) && !name.startsWith(".");

async function isOurs(search: Search, entry: Dirent, path: string): Promise<boolean> {
  if (entry.isFile()) return true;
  if (!entry.isSymbolicLink()) return false;
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined && isInside(search.root, real)) return (await lstat(real)).isFile();
  search.problems.push({ file: path, message: "it is a link that leads out of its folder: it is not read" });
  return false;
}

/** Folders behind links are not entered: those inside are found anyway, those outside are not ours. */
async function tellOfLinkedFolder(search: Search, path: string): Promise<void> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined || isInside(search.root, real) || !(await stat(real)).isDirectory()) return;
  search.problems.push({ file: path, message: "it is a link that leads out of its folder: it is not read" });
}

/** Most places are not there, and every spawn asks for each: that one is absent is found without the thread pool. */
export const realPlace = async (path: string): Promise<string | undefined> =>
  isAbsent(path) ? undefined : realpath(path).catch(() => undefined);

function isAbsent(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

/** Asking for a few files at once takes microseconds each; through the thread pool it takes longer than the rest. */
const FEW = 256;

async function stamped(path: string, at: number): Promise<FoundFile | undefined> {
  try {
    const found = at < FEW ? statSync(path, { bigint: true }) : await stat(path, { bigint: true });
    return found.isFile() ? { path, stamp: stampOf(found) } : undefined;
  } catch {
    return undefined;
  }
}

export const isInside = (root: string, path: string): boolean =>
  path === root || path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
