// Makes a long conversation short without a language model: the person's words, the calls, and the head of each answer.
import { textOf } from "../../../core/messages.ts";
import type { ModelRequest } from "../../../ports/model.ts";

const MOST_CHARS = 12_000;
const LINE_CHARS = 300;

/** The engine asks for a summary with its own instruction and without tools. */
export const isCompaction = ({ system, tools }: ModelRequest): boolean =>
  tools.length === 0 && system.startsWith("You compact the transcript of a coding agent");

export function shortened({ messages }: ModelRequest): string {
  const said = messages.map((message) => (message.role === "user" ? textOf(message.content) : "")).join("\n");
  const telling = said.split("\n").filter((line) => /^(?:USER|AGENT|CALL|RESULT) ?/.test(line.slice(0, 10)));
  const lines = telling.map((line) => line.slice(0, LINE_CHARS));
  let size = 0;
  const newest = lines.toReversed().filter((line) => (size += line.length + 1) <= MOST_CHARS);
  return ["Shortened by rules: the first line of each message.", ...newest.toReversed()].join("\n");
}
