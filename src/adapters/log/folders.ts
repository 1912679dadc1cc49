// Makes or checks a tree's folders before anything is read or written in them.
import { dirname } from "node:path";
import type { LogFiles } from "../../ports/log-files.ts";
import type { TreePlace } from "./layout.ts";
import { artifactsFolder, damagedFolder, sessionsFolder, treeFolder, treesFolder } from "./layout.ts";

/** Why the tree cannot be used here, as a sentence for the person; undefined when all is well. */
export async function prepareFolders(
  files: LogFiles,
  place: TreePlace,
  mode: "create" | "existing",
): Promise<string | undefined> {
  const refusal = refuseFolders(files, place);
  if (refusal !== undefined) return refusal;
  const folder = treeFolder(place);
  if (mode === "existing" && !files.look(folder)) return `there is no session ${place.tree} in ${place.stateDir}`;
  try {
    await makeWithParents(files, place.stateDir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return `${place.stateDir} cannot be made: set SOUS_STATE_DIR, or HOME, to a folder that can be written`;
  }
  for (const path of [treesFolder(place.stateDir), folder, sessionsFolder(folder), artifactsFolder(place)]) {
    files.makeFolder(path);
  }
  return undefined;
}

/** A symlink in our own folders is not ours: following it would read and write wherever its maker wanted. */
export function refuseFolders(files: LogFiles, place: TreePlace): string | undefined {
  const folder = treeFolder(place);
  const ours = [place.stateDir, treesFolder(place.stateDir), folder];
  const inside = [sessionsFolder(folder), artifactsFolder(place), damagedFolder(folder)];
  for (const path of [...ours, ...inside]) {
    const kind = files.look(path)?.kind ?? "folder";
    if (kind === "link")
      return `${path} is a symbolic link; Sous keeps its state only in a real folder: remove the link`;
    if (kind !== "folder") return `${path} is not a folder: move it away`;
  }
  return undefined;
}

/** Every folder whose names must be durable before anything in the tree is; those further up were synced when made. */
export function foldersAbove(place: TreePlace): readonly string[] {
  return [treeFolder(place), treesFolder(place.stateDir), place.stateDir, dirname(place.stateDir)];
}

async function makeWithParents(files: LogFiles, path: string): Promise<void> {
  if (files.look(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeWithParents(files, parent);
  if (files.makeFolder(path)) await files.syncFolder(parent);
}
