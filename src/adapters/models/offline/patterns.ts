// Concepts as patterns for Grep, in the syntax that ripgrep, GNU grep -E and JavaScript share. Linear by construction.
import type { Concept } from "./words.ts";

/** Matches the concept as a word or as a part of a name: `event` in `events`, `onEvent`, `EVENT_ID`, not in `prevent`. */
export function patternOf(concept: Concept): string {
  if (concept.exact) return literal(concept.word);
  const stems = concept.stems.map((stem) => literal(stem.length > 3 ? stem.replace(/y$/, "") : stem));
  const capital = stems.map((stem) => stem.charAt(0).toUpperCase() + stem.slice(1));
  const upper = stems.map((stem) => stem.toUpperCase());
  return `((\\b|_)(${[...stems, ...capital].join("|")})|[a-z0-9](${capital.join("|")}))${ENDING}|(\\b|_)(${upper.join("|")})[A-Z]*(\\b|_)`;
}

/** Matches lines that hold two different concepts, in either order. */
export function pairsOf(concepts: readonly Concept[]): string {
  const whole = pairs(concepts.map(patternOf));
  return whole.length <= MOST_CHARS
    ? whole
    : pairs(concepts.map((concept) => patternOf({ ...concept, stems: concept.stems.slice(0, 2) })));
}

function pairs(patterns: readonly string[]): string {
  const others = (at: number): string => patterns.filter((_, other) => other !== at).join("|");
  return patterns.map((pattern, at) => `(${pattern}).*(${others(at)})`).join("|");
}

export const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/** Search tools refuse longer patterns than ten thousand characters. */
const MOST_CHARS = 8_000;

const ENDING = "[a-z]?(e|s|es|ed|er|ers|en|ing|ings|or|ors|ion|ions|ies|y)?([^a-z]|$)";
