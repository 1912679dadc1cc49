// What a search found, for the model: paths from the working folder, and how to narrow it when there is more.
import type { Found } from "../../ports/search.ts";
import type { ToolWorld } from "./define-tool.ts";

export function foundText(
  found: Extract<Found, { ok: true }>,
  { workspace: { cwd }, hides }: Pick<ToolWorld, "workspace" | "hides">,
  none: string,
): string {
  const lines = found.lines.flatMap(({ path, text }) => {
    if (path === undefined) return [text];
    const full = `${found.folder === "/" ? "" : found.folder}/${path}`;
    if (hides(full)) return [];
    const shown = fromFolder(cwd, full);
    return [text === "" ? shown : `${shown}:${text}`];
  });
  if (lines.length === 0) lines.push(`[${none}]`);
  if (found.cut === "most") lines.push(`[there is more: narrow it by path, glob or pattern, or raise head_limit]`);
  if (found.cut === "time") lines.push("[stopped at its time limit: narrow it by path, glob or pattern]");
  return lines.join("\n");
}

/** Relative inside the working folder, absolute elsewhere. */
function fromFolder(cwd: string, full: string): string {
  return full.startsWith(`${cwd}/`) ? full.slice(cwd.length + 1) : full;
}
