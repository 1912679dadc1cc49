// The files that a child is handed with its task: read at spawn, given with their paths; what cannot be read whole is
// told to the child in their place, and to its parent.
import type { Guard } from "../engine/guard/guard.ts";
import { pathReach } from "../engine/tools/path-reach.ts";
import type { Workspace } from "../ports/workspace.ts";

const MOST_LINES = 2_000;
const MOST_CHARS = 60_000;

type Seen = {
  readonly workspace: Workspace;
  readonly guard: Guard;
  /** Why none is. */
  readonly mayNot?: string;
};

type ContextFile = { readonly text: string; readonly problem?: string };

/** Read as the parent sees them and may read them, named as the child, which works in `cwd`, will find them. */
export async function readContextFiles(
  paths: readonly string[],
  seen: Seen,
  cwd: string,
): Promise<{ readonly text: string; readonly problems: readonly string[] }> {
  const files = await Promise.all(paths.map((path) => contextFile(path, seen, cwd)));
  return {
    text: files.map(({ text }) => text).join("\n"),
    problems: files.flatMap(({ problem }) => problem ?? []),
  };
}

async function contextFile(given: string, { workspace, guard, mayNot }: Seen, cwd: string): Promise<ContextFile> {
  const path = given.startsWith(`${workspace.cwd}/`) ? `${cwd}${given.slice(workspace.cwd.length)}` : given;
  const notRead = (reason: string): ContextFile => ({
    text: `[${path} was not read: ${reason}]`,
    problem: `${given} was not read: ${reason}`,
  });
  if (mayNot !== undefined) return notRead(mayNot);
  const reach = await pathReach({ workspace }, "read", given).catch((error: Error) => error.message);
  if (typeof reach === "string") return notRead(reach);
  const asked = { tool: "Read", input: { file_path: given }, reach, mode: "confirm", outcomeUnknown: false } as const;
  const verdict = guard.judge(asked);
  if (verdict.is !== "allow") return notRead(verdict.because);
  const [file] = reach;
  const real = file?.may === "read" ? file.path : given;
  const slice = await workspace.readLines(real, 1, MOST_LINES, new AbortController().signal);
  if (!slice.ok) return notRead(`it ${slice.problem}`);
  const whole = slice.lines.join("\n");
  if (!slice.more && whole.length <= MOST_CHARS) return { text: `<file path="${path}">\n${whole}\n</file>` };
  return {
    text: `<file path="${path}" note="cut: read the rest yourself">\n${whole.slice(0, MOST_CHARS)}\n</file>`,
    problem: `${given} is too long to be handed on whole: the child got its beginning`,
  };
}
