// Looks for repositories below a folder that no tree holds: work may have been committed there, whatever the folder is.
import { type Dirent, promises } from "node:fs";

const MOST_FOLDERS = 100_000;
const AT_A_TIME = 32;

export type FoundRepository =
  { readonly is: "none" } | { readonly is: "found"; readonly path: Buffer } | { readonly is: "too large" };

/** The first that is found at `folder` or below it. Links are not followed. */
export async function findRepositoryBelow(folder: Buffer, most: number = MOST_FOLDERS): Promise<FoundRepository> {
  const waiting = [folder];
  for (let looked = 0; waiting.length > 0;) {
    const some = waiting.splice(-AT_A_TIME);
    if ((looked += some.length) > most) return { is: "too large" };
    const found = await Promise.all(some.map(async (path) => ({ path, entries: await entriesOf(path) })));
    const repository = found.find(({ entries }) => isRepository(entries));
    if (repository) return { is: "found", path: repository.path };
    for (const { path, entries } of found)
      for (const entry of entries) if (entry.isDirectory()) waiting.push(below(path, entry.name));
  }
  return { is: "none" };
}

/** With a `.git`, or bare. */
function isRepository(entries: readonly Dirent<Buffer>[]): boolean {
  const names = new Map(entries.map((entry) => [entry.name.toString("latin1"), entry]));
  const isFolder = (name: string): boolean => names.get(name)?.isDirectory() ?? false;
  return names.has(".git") || (names.has("HEAD") && isFolder("objects") && isFolder("refs"));
}

/** A file, and what cannot be read, has none. */
const entriesOf = (path: Buffer): Promise<Dirent<Buffer>[]> =>
  promises.readdir(path, { withFileTypes: true, encoding: "buffer" }).catch(() => []);

const below = (folder: Buffer, name: Buffer): Buffer =>
  Buffer.concat([folder, ...(folder.at(-1) === SLASH ? [] : [Buffer.of(SLASH)]), name]);

const SLASH = 47;
