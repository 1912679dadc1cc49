// The repository that a workspace has when it is opened, for git commands that nobody is asked about. It counts only
// where all that git would read of it is its own: a handed-over folder can name any other repository as its own, and a
// link in a git folder can lead to any file.
import { type Dirent, readdirSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { readSmallText } from "../files/read-bounded.ts";
import { type Repository, findRepository } from "../worktrees/find-repository.ts";

export type PinnedRepository = Repository & {
  /** Folders of objects that it reads besides its own. */
  readonly alternates: readonly string[];
};

const MOST_BYTES = 64 * 1024;
/** As deep as git follows them. */
const MOST_DEPTH = 5;

/** `places` are folders that may hold parts of it: those of the workspace, and what its copy was made from. */
export async function pinRepository(folder: string, places: readonly string[]): Promise<PinnedRepository | undefined> {
  try {
    const found = await findRepository(folder);
    if (!found || !(await isItsOwn(found, places)) || hasLinks(found)) return undefined;
    const within = [...places, found.top, found.common];
    const alternates = await alternatesOf(found.objects, within, MOST_DEPTH);
    return alternates && { ...found, alternates };
  } catch {
    return undefined;
  }
}

async function isItsOwn({ top, gitDir, common }: Repository, places: readonly string[]): Promise<boolean> {
  const here = (path: string): boolean => [top, ...places].some((place) => isInside(place, path));
  if (common !== gitDir && !(basename(dirname(gitDir)) === "worktrees" && dirname(dirname(gitDir)) === common))
    return here(common) && here(gitDir);
  return here(gitDir) || (await pointsBack(gitDir, top));
}

/** Only who can write to a git folder can make it name a work tree. */
async function pointsBack(gitDir: string, top: string): Promise<boolean> {
  const file = await readSmallText(join(gitDir, "gitdir"), { most: MOST_BYTES });
  if (file !== undefined) return (await real(resolve(gitDir, dirname(file.trim())))) === top;
  const config = (await readSmallText(join(gitDir, "config"), { most: MOST_BYTES })) ?? "";
  const tree = /^\s*worktree\s*=\s*(\S.*?)\s*$/m.exec(config)?.[1];
  return tree !== undefined && (await real(resolve(gitDir, tree))) === top;
}

/** In folders whose files git opens by name, and tells lines of where they are not what they should be. */
function hasLinks({ gitDir, common, objects }: Repository): boolean {
  const folders = [gitDir, common, objects, join(objects, "pack"), join(objects, "info")];
  folders.push(join(objects, "info", "commit-graphs"), join(common, "logs"), join(common, "refs"));
  // Our folder has no hooks, wherever theirs stand.
  return folders.some((folder) => entriesOf(folder).some((one) => one.isSymbolicLink() && one.name !== "hooks"));
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** undefined where one leads elsewhere. */
async function alternatesOf(
  objects: string,
  within: readonly string[],
  depth: number,
): Promise<readonly string[] | undefined> {
  const text = await readSmallText(join(objects, "info", "alternates"), { most: MOST_BYTES });
  const lines = (text ?? "").split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const found: string[] = [];
  for (const line of lines) {
    const path = line.startsWith('"') ? undefined : await real(resolve(objects, line));
    if (path === undefined || depth === 0 || !within.some((place) => isInside(place, path))) return undefined;
    const more = await alternatesOf(path, within, depth - 1);
    if (!more) return undefined;
    found.push(path, ...more);
  }
  return found;
}

const real = (path: string): Promise<string | undefined> => realpath(path).catch(() => undefined);

const isInside = (place: string, path: string): boolean =>
  path === place || path.startsWith(place.endsWith("/") ? place : `${place}/`);
