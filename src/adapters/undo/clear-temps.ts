// Removes what a killed process left half written, by the notes it made before it began.
import { removeTemp } from "../workspaces/temp-names.ts";
import type { FileUndo } from "./file-undo.ts";

/** A process has one write under way for each of its agents at most. */
const LAST = 200;

export async function clearTemps(undo: FileUndo): Promise<void> {
  for (const { temp } of (await undo.notes()).slice(-LAST)) if (temp !== undefined) await removeTemp(temp);
}
