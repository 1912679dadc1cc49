// What a shell command may touch: its reading, and the real paths that it reads.
import type { Reach } from "../../core/permissions.ts";
import { readOnlyPart } from "../../core/shell/read-only-part.ts";
import type { Workspace } from "../../ports/workspace.ts";

/** More paths than this are not looked up: the command asks. */
const MOST_PATHS = 50;

export async function commandReach(workspace: Pick<Workspace, "resolve">, command: string): Promise<Reach> {
  // The parser takes time to load, and many runs never need it.
  const { readShell } = await import("../../core/shell/read-shell.ts");
  const reading = readShell(command);
  const paths = [...reading.reads, ...reading.parts.flatMap((part) => readOnlyPart(part)?.paths ?? [])];
  if (paths.length > MOST_PATHS) return { may: "run", command, reading: { ...reading, doubt: "it reads many files" } };
  const reads = await Promise.all(paths.map((path) => workspace.resolve(path).catch(() => UNKNOWN)));
  return { may: "run", command, reading, reads };
}

/** A path that cannot be followed is inside no folder. */
const UNKNOWN = "(a path that cannot be followed)";
