// Questions about the past: of what, since when, and what is wanted of it. Pure; everything that may reach a command is a
// plain word.
import { pathIn } from "./prompt-names.ts";
import { conceptsOf } from "./words.ts";

export type HistoryQuestion = {
  readonly wants: "first" | "changes";
  /** A file or folder, a name in the code, or a plain word; nothing: the whole project. */
  readonly of: { readonly is: "path" | "name" | "word"; readonly text: string } | undefined;
  /** As git understands it, without spaces. */
  readonly since: string | undefined;
};

const PAST =
  "(?:changed|wrote|written|added|introduced|removed|deleted|touched|modified|edited|created|committed|renamed|moved|broke|broken|fixed|updated|merged)";
const ASKS = [
  String.raw`^who (?:has |have |had |last |first |originally ){0,2}${PAST}\b`,
  String.raw`^(?:when|by whom|in which commit|which commit|what commit) (?:was|were|did|has|have|${PAST})\b`,
  String.raw`^what (?:has |have |was |were )?(?:changed|happened|been changed|been done|was done)\b`,
  String.raw`^(?:show |list |give )?(?:me )?(?:the )?(?:git )?(?:history|log|blame|(?:recent|last|latest|newest) (?:\w+ )?(?:commits?|changes?))\b`,
  String.raw`^(?:why|how often|how many times) (?:was|were|did|has) .{1,80}\b${PAST}\b`,
].map((source) => new RegExp(source));

export function historyIn(said: string): HistoryQuestion | undefined {
  const asks = said.toLowerCase();
  if (!ASKS.some((pattern) => pattern.test(asks))) return undefined;
  const since = sinceIn(asks);
  const first =
    /\b(?:add(?:ed)?|introduced?|created?|written|wrote|first|originally)\b/.test(asks) && since === undefined;
  return { wants: first ? "first" : "changes", of: subjectOf(said), since };
}

function subjectOf(said: string): HistoryQuestion["of"] {
  const path = pathIn(said);
  if (path !== undefined && PLAIN.test(path)) return { is: "path", text: path.replace(/^\.\//, "") };
  const concepts = conceptsOf(said).filter(({ word }) => PLAIN.test(word) && !ABOUT_TIME.test(word));
  const named = concepts.find((concept) => concept.exact);
  if (named) return { is: "name", text: named.word.split(/\.|::|->|#/).at(-1) ?? named.word };
  const [word] = concepts;
  return word && { is: "word", text: word.word };
}

/** What needs no quotes in a command and is no option. */
const PLAIN = /^[A-Za-z0-9_$@][\w$@./+-]*$/;
const ABOUT_TIME =
  /^(?:who|when|last|week|month|day|year|today|yesterday|recent|recently|latest|newest|change|changed|changes|commit|commits|history|git|log|since|hour|wrote|written|added|introduced|removed|deleted|touched|modified|edited|created|committed|renamed|moved|broke|broken|fixed|updated|merged|happened|originally|first|blame|time|times|often|past|now)s?$/i;

function sinceIn(asks: string): string | undefined {
  const counted = /\b(?:last|past) (\d{1,3}) (hour|day|week|month|year)s?\b/.exec(asks);
  if (counted) return `${counted[1]}.${counted[2]}s`;
  const one = /\b(?:last|past|this) (hour|day|week|month|year)\b/.exec(asks)?.[1];
  if (one !== undefined) return `1.${one}`;
  if (/\btoday\b/.test(asks)) return "midnight";
  if (/\byesterday\b/.test(asks)) return "yesterday.midnight";
  return /\bsince (\d{4}-\d{2}-\d{2})\b/.exec(asks)?.[1];
}
