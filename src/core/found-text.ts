// Whether an event says something, where, and how to show it in one line. Pure.
import type { Recorded } from "./events.ts";
import { isUnderstood } from "./newer-format.ts";
import type { ReplyPart, Said } from "./messages.ts";

export type FoundText = { readonly where: string; readonly snippet: string };

/** `wanted` is in lower case: upper and lower case count the same, and nothing else is special. */
export function findText(event: Recorded, wanted: string): FoundText | undefined {
  for (const [where, text] of saidIn(event)) {
    const at = text.toLowerCase().indexOf(wanted);
    if (at >= 0) return { where, snippet: snippet(text, at, wanted.length) };
  }
  return undefined;
}

type Place = readonly [where: string, text: string];

function saidIn(event: Recorded): readonly Place[] {
  if (!isUnderstood(event)) return [[`record ${event.type}`, wordsOf(event)]];
  switch (event.type) {
    case "session.opened":
      return [["title", event.title]];
    case "input.admitted":
      return saidParts(event.from, event.content);
    case "assistant.replied":
      return event.content.map(replyPart);
    case "tool.ended":
      return saidParts("result", event.outcome.said);
    case "context.compacted":
      return [["summary", event.summary]];
    case "note.added":
      return [["note", event.text]];
    case "model.failed":
      return [["failure", event.fault.message]];
    default:
      return [];
  }
}

const saidParts = (where: string, content: readonly Said[]): Place[] =>
  content.flatMap((part) => (part.type === "text" ? [[where, part.text] as const] : []));

function replyPart(part: ReplyPart): Place {
  if (part.type === "text") return ["agent", part.text];
  if (part.type === "reasoning") return ["thought", part.text];
  return [`call ${part.tool}`, part.type === "call" ? wordsOf(part.input) : part.raw];
}

/** The texts of a call's input as they are, not as JSON escapes them. */
function wordsOf(input: unknown): string {
  if (typeof input === "string") return input;
  if (typeof input !== "object" || input === null) return String(input);
  return Object.values(input).map(wordsOf).join("\n");
}

const AROUND = 60;

function snippet(text: string, at: number, length: number): string {
  const [from, to] = [Math.max(0, at - AROUND), Math.min(text.length, at + length + AROUND)];
  const middle = text.slice(from, to).toWellFormed().replace(/\s+/g, " ").trim();
  return `${from > 0 ? "…" : ""}${middle}${to < text.length ? "…" : ""}`;
}
