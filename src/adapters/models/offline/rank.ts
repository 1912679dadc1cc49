// Ranks files and definitions by how well they fit what was asked. Pure, and the same order for the same input.
import { type Definition, fullName } from "./definitions.ts";
import { definitionIn, familyOf } from "./languages.ts";
import { type FoundLine, compare } from "./outputs.ts";
import { placeWeight } from "./places.ts";
import { type Concept, presence, stemsOf } from "./words.ts";

export type Wanted = "function" | "class" | "type" | "file" | "test" | "any";
export type RankedFile = {
  readonly path: string;
  readonly score: number;
  readonly has: readonly string[];
  readonly lines: readonly FoundLine[];
};
export type RankedDefinition = {
  readonly definition: Definition;
  readonly score: number;
  readonly why: readonly string[];
  /** How much of the question stands in it, and in its name, class or file name: 0 to 1, rare words count more. */
  readonly covered: number;
  readonly named: number;
};

/** How often each concept stands in each file: one map for each concept. */
export type Counts = readonly ReadonlyMap<string, number>[];

export function rankFiles(
  concepts: readonly Concept[],
  counts: Counts,
  near: readonly FoundLine[],
  wanted: Wanted,
): readonly RankedFile[] {
  const weights = weightsOf(counts);
  const linesOf = Map.groupBy(near, (line) => line.path);
  const paths = new Set([...counts.flatMap((one) => [...one.keys()]), ...linesOf.keys()]);
  const ranked = [...paths].map((path): RankedFile => {
    const inPath = stemsOf(path);
    const base = stemsOf(path.slice(path.lastIndexOf("/") + 1));
    const lines = linesOf.get(path) ?? [];
    const parts = concepts.map((concept, at) => {
      const often = Math.log2(1 + Math.min(counts[at]?.get(path) ?? 0, 60)) / 6;
      const named = presence(concept, base, path) * 1.2 + presence(concept, inPath, path) * 0.4;
      return (often + named) * weights[at]!;
    });
    const together = lines.reduce((most, line) => Math.max(most, lineScore(concepts, weights, line.text)), 0);
    const defines = lines.reduce((most, line) => Math.max(most, nameScore(concepts, weights, line)), 0);
    const has = concepts.filter(
      (concept, at) => (counts[at]?.get(path) ?? 0) > 0 || presence(concept, inPath, path) > 0,
    );
    const share = has.length / Math.max(1, concepts.length);
    const many = Math.log2(1 + lines.length) / 4;
    const score = (sum(parts) + together + defines + many) * share * share * placeWeight(path, wanted);
    return { path, score, has: has.map((concept) => concept.word), lines };
  });
  return ranked.filter((file) => file.score > 0).sort((a, b) => b.score - a.score || compare(a.path, b.path));
}

export function rankDefinitions(
  concepts: readonly Concept[],
  counts: Counts,
  definitions: readonly Definition[],
  wanted: Wanted,
): readonly RankedDefinition[] {
  const weights = weightsOf(counts);
  const ranked = definitions.map((definition): RankedDefinition => {
    const places = placesOf(definition, concepts);
    const parts = concepts.map((concept, at) => {
      const values = places.map((place) => presence(concept, place.stems, place.text) * place.weight);
      const best = Math.max(...values);
      return { value: (best + 0.3 * (sum(values) - best)) * weights[at]!, word: concept.word, best };
    });
    const share = parts.filter((part) => part.best > 0).length / Math.max(1, concepts.length);
    const inHead = parts.filter((part) => part.best >= 1).length / Math.max(1, concepts.length);
    const score =
      sum(parts.map((part) => part.value)) *
      share *
      share *
      (0.5 + 0.5 * inHead) *
      kindWeight(definition, wanted) *
      (isPrivate(definition) ? 0.9 : 1) *
      (isLocal(definition, definitions) ? 0.75 : 1) *
      placeWeight(definition.path, wanted) *
      sizeWeight(definition);
    const all = Math.max(0.001, sum(weights.slice()));
    const shareOf = (few: readonly Place[]): number =>
      sum(
        concepts.map(
          (concept, at) => Math.max(...few.map((one) => presence(concept, one.stems, one.text))) * weights[at]!,
        ),
      ) / all;
    return {
      definition,
      score,
      why: parts.filter((part) => part.best > 0).map((part) => part.word),
      covered: shareOf(places),
      named: shareOf(places.slice(0, 3)),
    };
  });
  return ranked
    .filter((one) => one.score > 0)
    .sort(
      (a, b) =>
        b.score - a.score ||
        compare(a.definition.path, b.definition.path) ||
        a.definition.from - b.definition.from ||
        compare(fullName(a.definition), fullName(b.definition)),
    );
}

/** The more concepts on one line, the better. */
export function lineScore(concepts: readonly Concept[], weights: readonly number[], text: string): number {
  const stems = stemsOf(text);
  const parts = concepts.map((concept, at) => presence(concept, stems, text) * (weights[at] ?? 1));
  const share = parts.filter((part) => part > 0).length / Math.max(1, concepts.length);
  return sum(parts) * share;
}

/** A line that defines something so named is worth more than one that speaks of it. */
export function nameScore(concepts: readonly Concept[], weights: readonly number[], { path, text }: FoundLine): number {
  const family = familyOf(path);
  const name = family && definitionIn(family, text, "{")?.name;
  if (name === undefined) return 0;
  const stems = stemsOf(name);
  return sum(
    concepts.map(
      (concept, at) => presence(concept, stems, name) * weights[at]! * (concept.exact && name === concept.word ? 3 : 1),
    ),
  );
}

/** Rare concepts tell more than common ones. */
export function weightsOf(counts: Counts): readonly number[] {
  const most = Math.max(1, ...counts.map((one) => one.size));
  return counts.map((one) => 1 + Math.log2(most / Math.max(1, one.size)) / 3);
}

type Place = { readonly stems: ReadonlySet<string>; readonly text: string; readonly weight: number };

function placesOf(definition: Definition, concepts: readonly Concept[]): readonly Place[] {
  const { name, container, path, lines, comment } = definition;
  const head = bounded(lines.slice(0, 3));
  const place = (text: string, weight: number): Place => ({ text, weight, stems: stemsOf(text) });
  return [
    place(name, concepts.some((concept) => concept.exact && concept.word === name.replace(/^#/, "")) ? 8 : 3),
    place(container ?? "", 2),
    place(path.slice(path.lastIndexOf("/") + 1), 1.2),
    place(head, 1.2),
    place(comment, 1.4),
    place(bounded(lines.slice(1, 80)), 0.7),
    place(path, 0.4),
  ];
}

const bounded = (lines: readonly string[]): string => lines.map((line) => line.slice(0, 300)).join("\n");

/** What a function keeps for itself answers less often than the function. */
const isLocal = ({ container }: Definition, all: readonly Definition[]): boolean =>
  container !== undefined && all.some((one) => one.name === container && one.kind !== "class" && one.kind !== "type");

function kindWeight({ kind }: Definition, wanted: Wanted): number {
  const callable = kind === "function" || kind === "method";
  if (wanted === "function") return callable ? 1 : 0.35;
  if (wanted === "class") return kind === "class" ? 1 : 0.4;
  if (wanted === "type") return kind === "type" || kind === "class" ? 1 : 0.4;
  return callable || kind === "class" ? 1 : 0.75;
}

/** People ask for the door more often than for the room behind it. */
const isPrivate = ({ name, lines }: Definition): boolean => /^[#_]/.test(name) || /^\s*private\b/.test(lines[0] ?? "");

/** Someone who asks where a thing happens wants the place, not the whole that holds it. */
const sizeWeight = ({ lines }: Definition): number => (lines.length <= 60 ? 1 : lines.length <= 150 ? 0.85 : 0.7);

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
