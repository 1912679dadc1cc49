// "List TODOs": the marks people leave in code, grouped by file.
import { lineCalls } from "../lookups.ts";
import { compare, cutNote, foundLines } from "../outputs.ts";
import { plural } from "../say.ts";
import { hasSearched } from "../search.ts";
import type { Skill } from "../skill.ts";

const MARK = /\b(TODO|FIXME|XXX|HACK)\b[:(]?/;
const MOST_FILES = 40;
const MOST_IN_FILE = 8;

export const todos: Skill<unknown> = {
  stages: [
    { name: "search", calls: ({ tools }) => lineCalls(tools, { pattern: "\\b(TODO|FIXME|XXX|HACK)\\b", most: 400 }) },
  ],
  answer: (talk) => {
    const results = talk.results("search");
    if (results.length === 0) return "I had no tool to search with.";
    if (!hasSearched(talk)) return "I could not search this folder.";
    const found = foundLines(results, talk.folder);
    if (found.length === 0) return "No TODO, FIXME, XXX or HACK in this folder.";
    const files = [...Map.groupBy(found, (line) => line.path)].sort(
      ([a, x], [b, y]) => y.length - x.length || compare(a, b),
    );
    const kinds = Map.groupBy(found, (line) => MARK.exec(line.text)?.[1] ?? "other");
    const counts = [...kinds].map(([kind, lines]) => `${kind} ${lines.length}`).sort(compare);
    const shown = files.slice(0, MOST_FILES).map(([path, lines]) => {
      const items = lines.slice(0, MOST_IN_FILE).map((line) => `  - ${line.line}: ${line.text.trim().slice(0, 140)}`);
      const more = lines.length > MOST_IN_FILE ? [`  - … and ${lines.length - MOST_IN_FILE} more`] : [];
      return [`- ${path} (${lines.length})`, ...items, ...more].join("\n");
    });
    return [
      `${plural(found.length, "mark")} in ${plural(files.length, "file")}: ${counts.join(", ")}.${cutNote(results)}`,
      ...shown,
      ...(files.length > MOST_FILES ? [`… and ${files.length - MOST_FILES} more files`] : []),
    ].join("\n");
  },
};
