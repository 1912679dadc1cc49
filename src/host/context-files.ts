// The files that a child is handed with its task: read at spawn, given with their paths; what cannot be is told.
import type { Workspace } from "../ports/workspace.ts";

const MOST_LINES = 2_000;
const MOST_CHARS = 60_000;

export async function withContextFiles(
  prompt: string,
  paths: readonly string[],
  workspace: Workspace,
  mayRead: (path: string) => boolean,
): Promise<string> {
  if (paths.length === 0) return prompt;
  const parts = await Promise.all(paths.map((path) => contextFile(path, workspace, mayRead)));
  return `${prompt}\n\n${parts.join("\n")}`;
}

async function contextFile(path: string, workspace: Workspace, mayRead: (path: string) => boolean): Promise<string> {
  const real = await workspace.resolve(path);
  if (!mayRead(real)) return `[${path} is outside the workspace and was not read]`;
  const slice = await workspace.readLines(real, 1, MOST_LINES, new AbortController().signal);
  if (!slice.ok) return `[${path} ${slice.problem}]`;
  const whole = slice.lines.join("\n");
  if (slice.more || whole.length > MOST_CHARS)
    return `<file path="${path}" note="cut: read the rest yourself">\n${whole.slice(0, MOST_CHARS)}\n</file>`;
  return `<file path="${path}">\n${whole}\n</file>`;
}
