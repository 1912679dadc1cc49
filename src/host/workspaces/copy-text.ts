// A copy in words: each file, what applying it would do, and whom it meets.
import type { CopyFile, CopyView } from "./copy-view.ts";

export function copyLines({ path, files, problem, source }: CopyView): string[] {
  if (problem !== undefined) return [`what ${path} changed cannot be told: ${problem}`];
  if (files.length === 0) return [`${path} changed no files of ${source}`];
  return files.map(fileLine);
}

function fileLine(file: CopyFile): string {
  const counts = file.added === null ? "binary" : `+${file.added} -${file.removed}`;
  const met = (file.rivals ?? []).map(
    ({ path, is }) => `${is === "join" ? "also changed by" : "conflicts with"} ${path}`,
  );
  return [`${file.change}  ${counts}  ${file.path}  (${[effect(file), ...met].join("; ")})`].join("");
}

function effect({ is, because }: CopyFile): string {
  switch (is) {
    case "replace":
      return "can be applied";
    case "join":
      return "can be applied: joined with what changed here since";
    case "nothing":
      return "is here already";
    case "apart":
      return `cannot be applied: ${because}`;
    case "conflict":
      return `conflict: ${because}`;
  }
}
