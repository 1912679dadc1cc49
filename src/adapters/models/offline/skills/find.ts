// "Where is X", "which function does Y": searches, reads the best files, and names the definition that fits best.
import type { Conversation } from "../conversation.ts";
import { fullName } from "../definitions.ts";
import { familyOf } from "../languages.ts";
import { lineCalls } from "../lookups.ts";
import { type FoundLine, foundLines, pathOf } from "../outputs.ts";
import { literal } from "../patterns.ts";
import { type RankedDefinition, isTestPath, lineScore, weightsOf } from "../rank.ts";
import {
  type Search,
  countsOf,
  hasSearched,
  linesOf,
  rankedDefinitions,
  rankedFiles,
  readStage,
  searchStage,
} from "../search.ts";
import { code, listed, place, quotedWords } from "../say.ts";
import type { Skill } from "../skill.ts";

const OTHERS = 4;
const CODE_LINES = 14;

export const find: Skill<Search> = {
  stages: [
    searchStage,
    readStage(5),
    {
      name: "callers",
      calls: (talk, search) => {
        const best = bestOf(talk, search);
        if (!best || best.definition.kind === "constant") return [];
        return lineCalls(talk.tools, {
          pattern: `\\b${literal(best.definition.name.replace(/^#/, ""))}\\b`,
          most: 150,
        });
      },
    },
  ],
  answer: (talk, search) => {
    const ranked = rankedDefinitions(talk, search);
    const best = bestOf(talk, search);
    const parts = best
      ? [shown(best, search), others(ranked), callers(talk, search, best)]
      : [nothingDefined(talk, search)];
    return [...parts, lines(talk, search, best), howFound(talk, search)].filter((part) => part !== "").join("\n\n");
  },
};

function bestOf(talk: Conversation, search: Search): RankedDefinition | undefined {
  const best = rankedDefinitions(talk, search)[0];
  // A definition that has less than half of what was asked is not an answer.
  return best && best.why.length * 2 >= search.concepts.length ? best : undefined;
}

function shown({ definition, why }: RankedDefinition, { concepts }: Search): string {
  const all = why.length === concepts.length ? "it fits" : `it fits ${why.length} of ${concepts.length} words:`;
  const at = place(definition.path, definition.from, definition.to);
  return [
    `**\`${fullName(definition)}\`** (${definition.kind}) in ${at}: ${all} ${quotedWords(why)}.`,
    ...(definition.comment === "" ? [] : [`Its comment: ${definition.comment.slice(0, 400)}`]),
    code(definition.path, definition.lines, definition.from, CODE_LINES),
  ].join("\n");
}

function others(ranked: readonly RankedDefinition[]): string {
  const best = ranked[0]?.score ?? 0;
  const next = ranked.slice(1, 1 + OTHERS).filter((one) => one.score > best * 0.35);
  return listed(
    "Next best:",
    next.map(
      ({ definition }) =>
        `\`${fullName(definition)}\` (${definition.kind}), ${place(definition.path, definition.from)}`,
    ),
  );
}

/** By name only, so only where the rest of the question is spoken of too. */
function callers(talk: Conversation, search: Search, { definition }: RankedDefinition): string {
  const name = definition.name.replace(/^#/, "");
  const related = new Set(
    rankedFiles(talk, search)
      .filter((file) => file.has.length * 2 > search.concepts.length)
      .map((file) => file.path),
  );
  const called = new RegExp(`(?:^|[^\\w])${literal(name)}\\s*[(<]`);
  const calls = foundLines(talk.results("callers"), talk.folder).filter(
    (line) =>
      related.has(line.path) &&
      familyOf(line.path) !== undefined &&
      called.test(line.text) &&
      !(definition.kind === "method" && line.text.trimStart().startsWith(name)) &&
      !isTestPath(line.path) &&
      !(line.path === definition.path && line.line === definition.from),
  );
  return listed(
    `Calls of something named \`${name}\` (by name only):`,
    calls.slice(0, 5).map((line) => `${place(line.path, line.line)} \`${line.text.trim().slice(0, 100)}\``),
    calls.length - 5,
  );
}

function lines(talk: Conversation, { concepts }: Search, best: RankedDefinition | undefined): string {
  const weights = weightsOf(countsOf(talk, concepts));
  const outside = (line: FoundLine): boolean =>
    !best || line.path !== best.definition.path || line.line < best.definition.from || line.line > best.definition.to;
  const ranked = linesOf(talk, concepts)
    .filter(outside)
    .map((line) => ({ line, score: lineScore(concepts, weights, line.text) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  return listed(
    concepts.length > 1 ? "Lines with most of the words:" : "Lines:",
    ranked
      .slice(0, best ? 4 : 10)
      .map(({ line }) => `${place(line.path, line.line)} \`${line.text.trim().slice(0, 120)}\``),
    best ? 0 : ranked.length - 10,
  );
}

function nothingDefined(talk: Conversation, search: Search): string {
  if (!hasSearched(talk)) return "I could not search this folder.";
  const files = rankedFiles(talk, search);
  if (files.length === 0)
    return `Nothing in this folder has ${quotedWords(search.concepts.map((concept) => concept.word))}.`;
  return listed(
    "No definition fits well. These files come closest:",
    files.slice(0, 6).map((file) => `${file.path} (has ${quotedWords(file.has)})`),
    files.length - 6,
  );
}

function howFound(talk: Conversation, { concepts }: Search): string {
  const words = concepts.map(({ word, stems }) =>
    stems.length > 1 ? `${word} and ${stems.length - 1} near words` : word,
  );
  const files = new Set(countsOf(talk, concepts).flatMap((one) => [...one.keys()])).size;
  const read = talk.results("read").map((result) => pathOf(result, talk.folder));
  if (talk.results("search").length === 0) return "I had no tool to search with.";
  if (!hasSearched(talk)) return "";
  return `How: searched for ${words.join("; ")}: ${files} file${files === 1 ? "" : "s"}; read ${read.join(", ") || "none"}.`;
}
