// What a search found, for the model: paths from the working folder, and how to narrow it when there is more.
import type { Found } from "../../ports/search.ts";

export function foundText(found: Extract<Found, { ok: true }>, cwd: string, none: string): string {
  const lines = found.lines.map(({ path, text }) => {
    if (path === undefined) return text;
    const shown = fromFolder(cwd, found.folder, path);
    return text === "" ? shown : `${shown}:${text}`;
  });
  if (lines.length === 0) lines.push(`[${none}]`);
  if (found.cut === "most") lines.push(`[there is more: narrow it by path, glob or pattern, or raise head_limit]`);
  if (found.cut === "time") lines.push("[stopped at its time limit: narrow it by path, glob or pattern]");
  return lines.join("\n");
}

/** Relative inside the working folder, absolute elsewhere. */
function fromFolder(cwd: string, folder: string, path: string): string {
  const full = `${folder === "/" ? "" : folder}/${path}`;
  return full.startsWith(`${cwd}/`) ? full.slice(cwd.length + 1) : full;
}
