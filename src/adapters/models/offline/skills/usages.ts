// "Who calls X": where a name stands, its definition apart from its uses, by name only.
import { definitionIn, familyOf } from "../languages.ts";
import { lineCalls } from "../lookups.ts";
import { type FoundLine, compare, cutNote, foundLines } from "../outputs.ts";
import { literal } from "../patterns.ts";
import { isTestPath } from "../places.ts";
import { listed, place, plural } from "../say.ts";
import { hasSearched } from "../search.ts";
import type { Skill } from "../skill.ts";

const MOST_FILES = 25;
const MOST_IN_FILE = 4;

export const usages: Skill<{ readonly name: string }> = {
  stages: [
    {
      name: "search",
      calls: ({ tools }, { name }) => lineCalls(tools, { pattern: `\\b${literal(name)}\\b`, most: 300 }),
    },
  ],
  answer: (talk, { name }) => {
    const results = talk.results("search");
    if (results.length === 0) return "I had no tool to search with.";
    if (!hasSearched(talk)) return "I could not search this folder.";
    const found = foundLines(results, talk.folder);
    if (found.length === 0) return `\`${name}\` stands nowhere in this folder.`;
    const defined = found.filter((line) => defines(line, name));
    const used = found.filter((line) => !defined.includes(line));
    const files = [...Map.groupBy(used, (line) => line.path)].sort(
      ([a, x], [b, y]) => Number(isTestPath(a)) - Number(isTestPath(b)) || y.length - x.length || compare(a, b),
    );
    return [
      listed(`\`${name}\` is defined in:`, defined.slice(0, 6).map(shown), defined.length - 6),
      `It is used on ${plural(used.length, "line")} in ${plural(files.length, "file")} (by name; tests last).${cutNote(results)}`,
      files
        .slice(0, MOST_FILES)
        .map(([path, lines]) =>
          listed(`${path} (${lines.length})`, lines.slice(0, MOST_IN_FILE).map(shown), lines.length - MOST_IN_FILE),
        )
        .join("\n"),
      files.length > MOST_FILES ? `… and ${files.length - MOST_FILES} more files` : "",
    ]
      .filter((part) => part !== "")
      .join("\n\n");
  },
};

const shown = (line: FoundLine): string => `${place(line.path, line.line)} \`${line.text.trim().slice(0, 120)}\``;

function defines(line: FoundLine, name: string): boolean {
  const family = familyOf(line.path);
  return family !== undefined && definitionIn(family, line.text, "{")?.name.replace(/^#/, "") === name;
}
