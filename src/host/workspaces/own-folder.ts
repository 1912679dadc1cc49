// The folder of an agent whose workspace is `custom`: one that is there, or one that a command of its definition makes
// and prints.
import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { PlaceWish } from "../../core/binding.ts";
import type { Problem } from "../../engine/runs/spawn-kit.ts";
import type { Processes } from "../../ports/processes.ts";

export type Around = {
  readonly cwd: string;
  /** What its parent may touch. */
  readonly roots: readonly string[];
  /** It must be inside of those. */
  readonly bounded: boolean;
  readonly env: Readonly<Record<string, string>>;
  readonly processes: Processes;
};

const PROVISION_MS = 120_000;
const MOST_BYTES = 64 * 1024;

export async function ownFolder(
  { path, command }: Pick<PlaceWish, "path" | "command">,
  around: Around,
  signal: AbortSignal,
): Promise<{ readonly folder: string } | Problem> {
  const named = command === undefined ? (path ?? ".") : await printedBy(command, around, signal);
  if (typeof named === "object") return named;
  const folder = await realpath(resolve(around.cwd, named)).catch(() => undefined);
  if (folder === undefined || !(await stat(folder)).isDirectory())
    return { problem: `its workspace ${named} is not a folder` };
  const isInside = around.roots.some((root) => folder === root || folder.startsWith(`${root}/`));
  if (around.bounded && !isInside) return { problem: `its workspace ${folder} is outside the workspace` };
  return { folder };
}

/** The last line it prints. */
async function printedBy(
  command: string,
  { cwd, env, processes }: Around,
  signal: AbortSignal,
): Promise<string | Problem> {
  const [said, complained]: [Buffer[], Buffer[]] = [[], []];
  const keep = (into: Buffer[]) => (chunk: Buffer) => {
    if (into.reduce((sum, one) => sum + one.length, 0) < MOST_BYTES) into.push(chunk);
  };
  const spec = { command, cwd, env, timeoutMs: PROVISION_MS, onStderr: keep(complained) };
  const { code, ended } = await processes.run(spec, keep(said), signal);
  const last = lastLine(said);
  if (code === 0 && last !== undefined) return last;
  if (code === 0) return { problem: "the command for its workspace printed no folder" };
  const why =
    ended === "timeout" ? `took longer than ${PROVISION_MS / 1000} s` : (lastLine(complained) ?? `ended with ${code}`);
  return { problem: `the command for its workspace failed: ${why}` };
}

const lastLine = (chunks: readonly Buffer[]): string | undefined =>
  Buffer.concat(chunks)
    .toString("utf8")
    .split("\n")
    .map((line) => line.trim())
    .findLast((line) => line !== "");
