// The search by words that several skills begin with: which files speak of them, where in the best files, then those parts.
import type { Conversation } from "./conversation.ts";
import { type Definition, definitionsIn } from "./definitions.ts";
import { familyOf } from "./languages.ts";
import { countCalls, lineCalls, readCall } from "./lookups.ts";
import { type FoundLine, compare, foundCounts, foundLines, pathOf, readLines } from "./outputs.ts";
import { anyOf, definitionPattern, patternOf } from "./patterns.ts";
import {
  type Counts,
  type RankedDefinition,
  type RankedFile,
  type Wanted,
  lineScore,
  nameScore,
  rankDefinitions,
  rankFiles,
  weightsOf,
} from "./rank.ts";
import type { Stage } from "./skill.ts";
import type { Concept } from "./words.ts";

export type Search = {
  readonly concepts: readonly Concept[];
  readonly wanted: Wanted;
  /** Only files that this glob fits. */
  readonly glob?: string;
};

const FOCUSED = 7;
const WINDOW = 220;
const ABOVE = 30;

/** One count for each concept, then the lines that define something so named. */
export const searchStage: Stage<Search> = {
  name: "search",
  calls: ({ tools }, { concepts, glob }) => {
    const within = glob === undefined ? {} : { glob };
    if (concepts.length === 0) return [];
    return [
      ...concepts.flatMap((concept) => countCalls(tools, { pattern: patternOf(concept), most: 1_000, ...within })),
      ...lineCalls(tools, { pattern: definitionPattern(concepts), anyCase: true, ...within }),
    ];
  },
};

/** Every line in the best files that speaks of it. */
export const focusStage: Stage<Search> = {
  name: "focus",
  calls: (talk, search) =>
    bestFiles(talk, search).flatMap(({ path }) =>
      talk.tools.has("Grep")
        ? lineCalls(talk.tools, { pattern: anyOf(search.concepts), path, anyCase: true, most: 250 })
        : [],
    ),
};

export const readStage = (most: number): Stage<Search> => ({
  name: "read",
  calls: (talk, search) =>
    windowsOf(talk, search)
      .slice(0, most)
      .map(({ path, from }) => readCall(path, from, WINDOW)),
});

export function rankedFiles(talk: Conversation, { concepts, wanted }: Search): readonly RankedFile[] {
  return rankFiles(concepts, countsOf(talk, concepts), linesOf(talk, concepts), wanted);
}

export function rankedDefinitions(talk: Conversation, { concepts, wanted }: Search): readonly RankedDefinition[] {
  return rankDefinitions(concepts, countsOf(talk, concepts), definitionsRead(talk), wanted);
}

/** Lines that define something so named, and those of the best files. */
export function linesOf(talk: Conversation, concepts: readonly Concept[]): readonly FoundLine[] {
  return foundLines([...talk.results("search").slice(concepts.length), ...talk.results("focus")], talk.folder);
}

export function countsOf(talk: Conversation, concepts: readonly Concept[]): Counts {
  const results = talk.results("search");
  return concepts.map((_, at) => foundCounts(results[at], talk.folder));
}

/** Whether any search was really made: a refused one finds nothing, which is not the same as nothing being there. */
export const hasSearched = (talk: Conversation): boolean =>
  [...talk.results("names"), ...talk.results("search")].some((result) => !result.failed);

export function definitionsRead(talk: Conversation): readonly Definition[] {
  const found = talk.results("read").flatMap((result) => {
    if (result.failed) return [];
    const { from, lines, more } = readLines(result);
    return definitionsIn(pathOf(result, talk.folder), lines, from, more);
  });
  // Windows may overlap; the one that saw the end knows more.
  const byPlace = Map.groupBy(found, ({ path, from }) => `${path}:${from}`);
  return [...byPlace.values()].map((same) => same.find((one) => one.closed) ?? same[0]!);
}

function bestFiles(talk: Conversation, search: Search): readonly RankedFile[] {
  const files = rankedFiles(talk, search);
  const code = files.filter((file) => familyOf(file.path) !== undefined);
  return (code.length > 0 ? code : files).slice(0, FOCUSED);
}

type Window = { readonly path: string; readonly from: number; readonly score: number };

/** Parts of the best files, those with the most telling lines first. */
function windowsOf(talk: Conversation, { concepts, wanted, glob }: Search): readonly Window[] {
  const search = { concepts, wanted, ...(glob !== undefined && { glob }) };
  const weights = weightsOf(countsOf(talk, concepts));
  const windows = bestFiles(talk, search).flatMap((file): readonly Window[] => {
    const hits = file.lines.map((line) => ({
      line: line.line,
      score: lineScore(concepts, weights, line.text) + 2 * nameScore(concepts, weights, line),
    }));
    if (hits.length === 0) return [{ path: file.path, from: 1, score: file.score / 10 }];
    return cut(hits).map(({ from, score }) => ({ path: file.path, from, score: score * Math.sqrt(file.score) }));
  });
  return windows.toSorted((a, b) => b.score - a.score || compare(a.path, b.path) || a.from - b.from);
}

type Hit = { readonly line: number; readonly score: number };

/** Takes the best window, then the best of what is left, and so on. */
function cut(hits: readonly Hit[]): readonly { from: number; score: number }[] {
  const windows: { from: number; score: number }[] = [];
  let left = hits;
  while (left.length > 0 && windows.length < 4) {
    const within = (from: number): readonly Hit[] =>
      left.filter((hit) => hit.line >= from && hit.line < from + WINDOW - 2 * ABOVE);
    const scoreOf = (from: number): number =>
      within(from)
        .map((hit) => hit.score)
        .sort((a, b) => b - a)
        .slice(0, 6)
        .reduce((sum, score, at) => sum + score / (at + 1), 0);
    const best = left.reduce(
      (found, hit) => {
        const score = scoreOf(hit.line);
        return score > found.score ? { from: hit.line, score } : found;
      },
      { from: left[0]!.line, score: -1 },
    );
    windows.push({ from: Math.max(1, best.from - ABOVE), score: best.score });
    const taken = new Set(within(best.from));
    left = left.filter((hit) => !taken.has(hit));
  }
  return windows;
}
