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

/** Matches any of them, in any case: for lines of files that are already chosen. */
export const anyOf = (concepts: readonly Concept[]): string =>
  [...new Set(concepts.flatMap((concept) => (concept.exact ? [concept.word] : concept.stems)))]
    .filter((stem) => stem.length > 2)
    .slice(0, MOST_STEMS)
    .map(literal)
    .join("|");

/** Matches lines that look like definitions of something whose name has one of them; in any case. */
export const definitionPattern = (concepts: readonly Concept[]): string =>
  `(${KEYWORDS})\\b[^=(]*(${anyOf(concepts)})|^\\s*[#\\w\\[]*(${anyOf(concepts)})[\\w\\]]* ?[(<:=].*[{(,>]$`;

const KEYWORDS =
  "function|class|def|fn|func|interface|type|enum|struct|trait|impl|const|let|var|static|async|public|private";
const MOST_STEMS = 40;

export const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

const ENDING = "[a-z]?(e|s|es|ed|er|ers|en|ing|ings|or|ors|ion|ions|ies|y)?([^a-z]|$)";
