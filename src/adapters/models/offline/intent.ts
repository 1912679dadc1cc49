// What a prompt asks for. Pure rules, most telling first; what fits none of them is `unknown`, and said to be.
import { type HistoryQuestion, historyIn } from "./history-question.ts";
import * as phrases from "./phrases.ts";
import { pathIn, refIn, usedName } from "./prompt-names.ts";
import type { Wanted } from "./rank.ts";
import type { Aspect } from "./sightings.ts";
import type { GuideQuestion } from "./skills/guide.ts";
import { type Concept, conceptsOf } from "./words.ts";

type Sought = {
  readonly concepts: readonly Concept[];
  readonly wanted: Wanted;
  readonly aspect: Aspect;
  readonly glob?: string;
};

export type Intent =
  | { readonly is: "help" }
  | { readonly is: "around" }
  | { readonly is: "todos" }
  | { readonly is: "summary" }
  | { readonly is: "facts"; readonly fact: phrases.Fact }
  | { readonly is: "review"; readonly target: ReviewTarget }
  | { readonly is: "explain"; readonly path: string }
  | { readonly is: "usages"; readonly name: string }
  | ({ readonly is: "history" } & HistoryQuestion)
  | ({ readonly is: "guide" } & GuideQuestion)
  | ({ readonly is: "plan"; readonly goal: string } & Sought)
  | ({ readonly is: "find" } & Sought)
  | ({ readonly is: "unknown" } & Sought);

export type ReviewTarget =
  /** The diff in the prompt itself. */
  | { readonly of: "given" }
  | { readonly of: "work" }
  | { readonly of: "staged" }
  | { readonly of: "since"; readonly ref: string }
  | { readonly of: "file"; readonly path: string };

/** So few words are a thing to look for, unless they are an order. */
const FEW_WORDS = 3;

export function intentOf(prompt: string): Intent {
  const task = taskOf(prompt);
  if (task) return task;
  const said = prompt.replace(/\s+/g, " ").trim();
  const asks = said.toLowerCase();
  if (said === "" || phrases.isGreeting(asks)) return { is: "help" };
  if (phrases.isAround(asks)) return { is: "around" };
  const goal = said.slice(phrases.planPrefix(asks)).trim();
  if (goal !== said && goal !== "") return { is: "plan", goal, ...soughtIn(phrases.withoutVerb(goal)), wanted: "any" };
  const past = historyIn(said);
  if (past) return { is: "history", ...past };
  const path = pathIn(said);
  if (phrases.isReview(asks)) return { is: "review", target: targetOf(asks, said, path) };
  if (phrases.isAboutMarks(asks)) return { is: "todos" };
  if (path !== undefined && aboutFile(asks)) return { is: "explain", path };
  const name = path === undefined ? usedName(said) : undefined;
  if (name !== undefined) return { is: "usages", name };
  const fact = path === undefined ? phrases.factAsked(asks) : undefined;
  if (fact !== undefined) return { is: "facts", fact };
  if (path === undefined && phrases.isAboutWhole(asks)) return { is: "summary" };
  const sought = soughtIn(said);
  return { is: isSearch(asks, sought) ? "find" : "unknown", ...sought };
}

/** The input of CodeSearch, CodeReview and Planner, as their children are given it. */
function taskOf(prompt: string): Intent | undefined {
  const [, key, value = ""] = /^(query|target|task): (.{1,2000})/.exec(prompt.trim()) ?? [];
  const fact = key === "query" ? phrases.factAsked(value.trim().toLowerCase()) : undefined;
  if (fact !== undefined && !("glob" in scopeIn(prompt))) return { is: "facts", fact };
  if (key === "query") return { is: "find", ...soughtIn(value), ...scopeIn(prompt) };
  if (key === "target") return { is: "review", target: { of: "file", path: value.trim() } };
  if (key === "task") return { is: "plan", goal: value, ...soughtIn(phrases.withoutVerb(value)), wanted: "any" };
  return undefined;
}

function soughtIn(said: string): Sought {
  const asks = said.toLowerCase();
  const path = pathIn(said);
  const within = path === undefined ? {} : { glob: `**/${path.replace(/^.*\//, "")}` };
  const rest = path === undefined ? said : said.replace(path, " ");
  return { concepts: conceptsOf(rest), wanted: wantedIn(asks), aspect: aspectIn(asks), ...within };
}

function aspectIn(asks: string): Aspect {
  if (/\bdefault(?:s|ed)?\b/.test(asks)) return "default";
  if (/\b(?:throws?|thrown|raised?|raises|created|constructed|instantiated)\b/.test(asks)) return "thrown";
  return /\b(?:set|assigned|initiali[sz]ed|come from)\b/.test(asks) ? "set" : "definition";
}

function scopeIn(prompt: string): { glob?: string } {
  const scope = /^scope: (.{1,200})$/m.exec(prompt)?.[1]?.trim().replace(/^\.\//, "");
  if (!scope || scope === ".") return {};
  return { glob: /[*?[{]/.test(scope) ? scope : `${scope.replace(/\/$/, "")}/**` };
}

const wordsIn = (asks: string): number => asks.split(" ").length;

const aboutFile = (asks: string): boolean =>
  (phrases.asksAboutFile(asks) && !asks.startsWith("where ")) || (wordsIn(asks) <= 2 && !phrases.isOrder(asks));

function isSearch(asks: string, { concepts }: Sought): boolean {
  if (concepts.length === 0) return false;
  return phrases.isQuestion(asks) || (wordsIn(asks) <= FEW_WORDS && !phrases.isOrder(asks));
}

function targetOf(asks: string, said: string, path: string | undefined): ReviewTarget {
  if (phrases.isStaged(asks)) return { of: "staged" };
  const ref = refIn(said);
  if (ref !== undefined) return { of: "since", ref };
  return path === undefined ? { of: "work" } : { of: "file", path };
}

function wantedIn(asks: string): Wanted {
  const word = /\b(function|method|routine|handler|class|struct|interface|type|enum|file|module|test)s?\b/.exec(
    asks,
  )?.[1];
  return wantedBy[word ?? ""] ?? "any";
}

const wantedBy: Readonly<Record<string, Wanted>> = {
  function: "function",
  method: "function",
  routine: "function",
  handler: "function",
  class: "class",
  struct: "class",
  interface: "type",
  type: "type",
  enum: "type",
  file: "file",
  module: "file",
  test: "test",
};
