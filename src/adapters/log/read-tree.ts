// Reads a tree without owning it: for lists, views and exports, also while another process writes.
import type { LogFiles } from "../../ports/log-files.ts";
import { refuseFolders } from "./folders.ts";
import { treeFolder, type TreePlace } from "./layout.ts";
import { readJournal, type Journal } from "./reader.ts";

export type ReadTree = (Journal & { readonly is: "read" }) | { readonly is: "refused"; readonly message: string };

export async function readTree(files: LogFiles, place: TreePlace): Promise<ReadTree> {
  const message = refuseFolders(files, place);
  if (message !== undefined) return { is: "refused", message };
  const folder = treeFolder(place);
  if (!files.look(folder)) {
    return { is: "refused", message: `there is no session ${place.tree} in ${place.stateDir}` };
  }
  return { is: "read", ...(await readJournal(files, folder)) };
}
