// The search that several skills begin with: count each concept, look for lines with two of them, read the best files.
import type { Conversation } from "./conversation.ts";
import { type Definition, definitionsIn } from "./definitions.ts";
import { familyOf } from "./languages.ts";
import { countCalls, lineCalls, readCall } from "./lookups.ts";
import { foundCounts, foundLines, pathOf, readLines } from "./outputs.ts";
import { pairsOf, patternOf } from "./patterns.ts";
import {
  type Counts,
  type RankedDefinition,
  type RankedFile,
  type Wanted,
  rankDefinitions,
  rankFiles,
} from "./rank.ts";
import type { Call, Stage } from "./skill.ts";
import type { Concept } from "./words.ts";

export type Search = { readonly concepts: readonly Concept[]; readonly wanted: Wanted };

const READ_LINES = 500;

export const searchStage: Stage<Search> = {
  name: "search",
  calls: ({ tools }, { concepts }) => [
    ...concepts.flatMap((concept) => countCalls(tools, { pattern: patternOf(concept) })),
    ...(concepts.length > 0
      ? lineCalls(tools, { pattern: concepts.length > 1 ? pairsOf(concepts) : concepts.map(patternOf).join("|") })
      : []),
  ],
};

export const readStage = (most: number): Stage<Search> => ({
  name: "read",
  calls: (talk, search) => {
    const files = rankedFiles(talk, search);
    const code = files.filter((file) => familyOf(file.path) !== undefined);
    return (code.length > 0 ? code : files).slice(0, most).map(readAround);
  },
});

export function rankedFiles(talk: Conversation, { concepts, wanted }: Search): readonly RankedFile[] {
  return rankFiles(concepts, countsOf(talk, concepts), linesOf(talk, concepts), wanted);
}

export function rankedDefinitions(talk: Conversation, { concepts, wanted }: Search): readonly RankedDefinition[] {
  return rankDefinitions(concepts, countsOf(talk, concepts), definitionsRead(talk), wanted);
}

export function linesOf(talk: Conversation, concepts: readonly Concept[]) {
  return foundLines(talk.results("search").slice(concepts.length), talk.folder);
}

export function countsOf(talk: Conversation, concepts: readonly Concept[]): Counts {
  const results = talk.results("search");
  return concepts.map((_, at) => foundCounts(results[at], talk.folder));
}

/** Whether any search was really made: a refused one finds nothing, which is not the same as nothing being there. */
export const hasSearched = (talk: Conversation): boolean => talk.results("search").some((result) => !result.failed);

export function definitionsRead(talk: Conversation): readonly Definition[] {
  return talk.results("read").flatMap((result) => {
    if (result.failed) return [];
    const { from, lines } = readLines(result);
    return definitionsIn(pathOf(result, talk.folder), lines, from);
  });
}

/** The whole file when its hits are near the top, else the lines around the densest of them. */
function readAround({ path, lines }: RankedFile): Call {
  const last = lines.at(-1)?.line ?? 1;
  if (last <= READ_LINES - 50) return readCall(path, 1, READ_LINES);
  const within = (from: number): number =>
    lines.filter((hit) => hit.line >= from && hit.line < from + READ_LINES - 120).length;
  const best = lines.reduce((a, b) => (within(b.line) > within(a.line) ? b : a));
  return readCall(path, Math.max(1, best.line - 80), READ_LINES);
}
