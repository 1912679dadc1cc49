// What a shell command may touch: its reading, and the real paths that it reads and writes.
import type { Reach } from "../../core/permissions.ts";
import { readOnlyPart } from "../../core/shell/read-only-part.ts";
import type { ShellPart } from "../../core/shell/shell-reading.ts";
import { writtenBy } from "../../core/shell/written-by.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { absolutePath } from "../../std/absolute-path.ts";

/** More paths than this are not looked up: the command asks. */
const MOST_PATHS = 50;
const LONGEST_PATH = 4_096;

export async function commandReach(workspace: Pick<Workspace, "cwd" | "resolve">, command: string): Promise<Reach> {
  // The parser takes time to load, and many runs never need it.
  const { readShell } = await import("../../core/shell/read-shell.ts");
  const reading = readShell(command);
  const found = reading.parts.flatMap((part) => readOnlyPart(part) ?? []);
  const deep = found.flatMap((one) => (one.deep ? one.paths : []));
  const paths = [...reading.reads, ...found.flatMap((one) => one.paths)];
  const written = [...reading.writes, ...reading.parts.flatMap(writtenBy)];
  if (paths.length + written.length > MOST_PATHS)
    return { may: "run", command, reading: { ...reading, doubt: "it opens many files" } };
  const real = (path: string): Promise<string> => workspace.resolve(path).catch(() => UNKNOWN);
  const operands = await operandsOf(reading.parts, real);
  const reads = await Promise.all(paths.map(real));
  const below = await Promise.all(deep.map(real));
  const named = paths.map((path) => absolutePath(workspace.cwd, path));
  const writes = [
    ...(await Promise.all(written.map(real))),
    ...written.map((path) => absolutePath(workspace.cwd, path)),
  ];
  return {
    ...{ may: "run", command, reading, reads, named },
    ...(below.length > 0 && { below }),
    ...(operands && { operands }),
    ...(writes.length > 0 && { writes }),
  };
}

/** Of the commands that a grant may be needed for. Where there are too many, none is said to lead anywhere. */
async function operandsOf(
  parts: readonly ShellPart[],
  real: (path: string) => Promise<string>,
): Promise<Record<string, string> | undefined> {
  const words = parts
    .filter((part) => part.opaque === undefined && readOnlyPart(part) === undefined)
    .flatMap((part) => part.words.slice(1))
    .filter((word) => word !== null && word !== "" && word.length <= LONGEST_PATH && !word.startsWith("-"));
  const named = [...new Set(words as readonly string[])];
  if (named.length === 0 || named.length > MOST_PATHS) return undefined;
  return Object.fromEntries(await Promise.all(named.map(async (word) => [word, await real(word)] as const)));
}

/** A path that cannot be followed is inside no folder. */
const UNKNOWN = "(a path that cannot be followed)";
