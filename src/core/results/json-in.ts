// The one JSON value that a message is or holds: bare, in a fence, or among words. Pure, and linear in the message.
import type { Json } from "../json.ts";

/** `several`: nobody can tell which is meant. */
export type FoundJson = { readonly is: "one"; readonly value: Json } | { readonly is: "none" | "several" };

const MOST_CHARS = 4_000_000;

export function jsonIn(message: string): FoundJson {
  const whole = parsed(message.trim());
  if (whole) return whole;
  const fenced = fencesIn(message).flatMap((body) => parsed(body.trim()) ?? []);
  if (fenced.length > 0) return fenced.length === 1 ? fenced[0]! : { is: "several" };
  const [first, ...more] = message.length > MOST_CHARS ? [] : amongWords(message);
  if (!first) return { is: "none" };
  return more.length > 0 ? { is: "several" } : first;
}

type One = Extract<FoundJson, { is: "one" }>;

function parsed(text: string): One | undefined {
  if (text === "") return undefined;
  try {
    return { is: "one", value: JSON.parse(text) as Json };
  } catch {
    return undefined;
  }
}

/** What stands in fences that are marked as JSON or not at all. */
function fencesIn(message: string): string[] {
  const found: string[] = [];
  let open: { readonly json: boolean; readonly lines: string[] } | undefined;
  for (const line of message.split("\n")) {
    const mark = /^\s{0,8}```\s{0,8}([\w+-]{0,20})\s{0,8}$/.exec(line);
    if (!mark) open?.lines.push(line);
    else if (!open) open = { json: /^(json[c5]?)?$/i.test(mark[1] ?? ""), lines: [] };
    else {
      if (open.json) found.push(open.lines.join("\n"));
      open = undefined;
    }
  }
  return found;
}

/** Objects, and lists that hold one, that stand between words: a bracket of a text or of code is no value. */
function amongWords(message: string): One[] {
  const found: One[] = [];
  for (let at = nextOpening(message, 0); at >= 0 && found.length < 2;) {
    const end = closing(message, at);
    const one = end < 0 ? undefined : parsed(message.slice(at, end + 1));
    if (one) found.push(one);
    // What does not parse as a whole is no value, and neither is what stands in it.
    at = end < 0 ? -1 : nextOpening(message, end + 1);
  }
  return found;
}

const nextOpening = (message: string, from: number): number => {
  const at = message.slice(from).search(/\{|\[\s*\{/);
  return at < 0 ? -1 : from + at;
};

/** Where the bracket that opens at `from` closes, strings left aside. */
function closing(message: string, from: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = from; at < message.length; at++) {
    const char = message[at];
    if (quoted) {
      if (char === "\\") at++;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === "{" || char === "[") depth++;
    else if ((char === "}" || char === "]") && --depth === 0) return at;
  }
  return -1;
}
