// What the search for exact names and texts found, and which of it answers the question.
import type { Conversation } from "./conversation.ts";
import type { Definition } from "./definitions.ts";
import { lineCalls, readCall } from "./lookups.ts";
import { foundLines, wasCut } from "./outputs.ts";
import { literal } from "./patterns.ts";
import { type Search, definitionsRead } from "./search.ts";
import { type Aspect, type Sighting, fitting, lastPart, sightingsOf } from "./sightings.ts";
import type { Stage } from "./skill.ts";
import type { Concept } from "./words.ts";

export type NamedSearch = Search & { readonly aspect: Aspect };
export type Named = {
  readonly concept: Concept;
  /** The best first, all of equal standing. */
  readonly fit: readonly Sighting[];
  readonly all: readonly Sighting[];
  /** Every line that has the name was seen. */
  readonly complete: boolean;
};

const MOST_NAMES = 3;
const READ = 4;
const ABOVE = 40;
const WINDOW = 220;

export const exactOf = (concepts: readonly Concept[]): readonly Concept[] =>
  concepts.filter((concept) => concept.exact).slice(0, MOST_NAMES);

export const namesStage: Stage<NamedSearch> = {
  name: "names",
  calls: ({ tools }, { concepts, glob }) =>
    exactOf(concepts).flatMap((concept) =>
      lineCalls(tools, { pattern: patternFor(concept), anyCase: isPhrase(concept), most: 300, ...(glob && { glob }) }),
    ),
};

/** The first of the names that stands anywhere; undefined when none does, or none was asked for. */
export function namedIn(talk: Conversation, { concepts, aspect }: NamedSearch): Named | undefined {
  const results = talk.results("names");
  const found = exactOf(concepts).flatMap((concept, at): readonly Named[] => {
    const result = results[at];
    if (!result) return [];
    const all = sightingsOf(concept, foundLines([result], talk.folder));
    if (all.length === 0) return [];
    const others = concepts.filter((one) => one !== concept);
    return [{ concept, all, fit: fitting(all, aspect, others), complete: !wasCut([result]) }];
  });
  return found.find((one) => one.fit.length > 0) ?? found[0];
}

/** Reads around each place that will be named, so that what is said of it is what the file holds. */
export const readNamed = (talk: Conversation, search: NamedSearch) => {
  const named = namedIn(talk, search);
  return (named?.fit ?? []).slice(0, READ).map(({ path, line }) => readCall(path, Math.max(1, line - ABOVE), WINDOW));
};

/** The innermost definition that the line is part of, if its beginning was read. */
export function definitionAround(talk: Conversation, { path, line }: Sighting): Definition | undefined {
  return definitionsRead(talk)
    .filter((one) => one.path === path && one.from <= line && line <= one.to && one.kind !== "constant")
    .toSorted((a, b) => a.to - a.from - (b.to - b.from))[0];
}

export function definitionAt(talk: Conversation, { path, line }: Sighting): Definition | undefined {
  return definitionsRead(talk).find((one) => one.path === path && one.from === line);
}

const isPhrase = ({ word }: Concept): boolean => !/^[\w$.:>#-]+$/.test(word);

function patternFor(concept: Concept): string {
  const name = lastPart(concept.word);
  if (isPhrase(concept)) return literal(concept.word);
  return `${/^\w/.test(name) ? "\\b" : ""}${literal(name)}${/\w$/.test(name) ? "\\b" : ""}`;
}
