// What a question to Sous's documentation asks about: flags are names, and what every question says is left out.
import { type Concept, conceptsOf, stem } from "./words.ts";

const MOST = 6;

export function guideConcepts(question: string): readonly Concept[] {
  const flags = question.match(FLAG) ?? [];
  const rest = conceptsOf(question.replaceAll(FLAG, " ").replaceAll(ABOUT_SOUS, " "));
  const plain = rest.map((concept) => (concept.exact ? concept : { ...concept, stems: nearInDocs(concept.word) }));
  return [...flags.map((word): Concept => ({ word, stems: [word], exact: true })), ...plain].slice(0, MOST);
}

const FLAG = /(?<!\S)--?[a-z][\w-]*/g;
const ABOUT_SOUS = /\b(?:sous|flags?|options?|commands?(?= (?:to|for|that|does))|write|use)\b/gi;

function nearInDocs(word: string): readonly string[] {
  const own = stem(word);
  return [...new Set([own, ...docGroups.filter((group) => group.includes(own)).flat()])];
}

const docGroups: readonly (readonly string[])[] = [
  "cost money price spend budget usd",
  "limit most maximum budget",
  "store save keep state folder",
  "allow permit permission rule grant",
  "ask approve approval confirm",
  "resume continue",
  "stop cancel interrupt end",
  "background detach",
  "define create make file",
  "config configuration setting",
  "key token credential",
  "copy worktree isolation",
  "list show",
].map((line) => line.split(" ").map(stem));
