// How full the model's context is, and how to make room: what is kept, what the summary is made from. Pure.
import type { Message, Said } from "./messages.ts";
import { textOf } from "./messages.ts";
import type { SessionState } from "./session-state.ts";

const CHARS_PER_TOKEN = 3.5;
const TOKENS_PER_IMAGE = 1_500;
/** Compaction begins when the context is this full. */
const FULL = 0.8;
/** How much of the window the newest messages may keep, by attempt: each attempt asks for less. */
const KEEP_SHARE = [0.2, 0.05, 0] as const;
export const MOST_COMPACTIONS = KEEP_SHARE.length;

/** Tokens of the next request: what the provider counted last, plus an estimate of what came since. */
export function contextTokens(state: SessionState): number {
  let sum = state.measured.tokens;
  for (let at = state.measured.messages; at < state.messages.length; at++) sum += tokensOf(state.messages[at]!);
  return sum;
}

export const isFull = (tokens: number, window: number): boolean => tokens > window * FULL;

export type CompactionPlan = {
  readonly keep: number;
  readonly replaced: readonly Message[];
  readonly transcriptChars: number;
};

/**
 * What the `attempt`th compaction in a row replaces; undefined when nothing could be made smaller. `tokens` is what the
 * messages really take: where our estimate is below it, it is scaled up.
 */
export function planCompaction(
  messages: readonly Message[],
  tokens: number,
  window: number,
  attempt: number,
): CompactionPlan | undefined {
  const share = KEEP_SHARE[attempt];
  if (share === undefined) return undefined;
  const scale = Math.max(1, tokens / messages.reduce((sum, message) => sum + tokensOf(message), 1));
  let room = (window * share) / scale;
  let keep = 0;
  for (let at = messages.length - 1; at > 0; at--) {
    room -= tokensOf(messages[at]!);
    if (room < 0) break;
    // A result never stands without the reply that asked for it.
    if (messages[at]!.role !== "tool") keep = messages.length - at;
  }
  const replaced = messages.slice(0, messages.length - keep);
  if (replaced.length < 2) return undefined;
  return { keep, replaced, transcriptChars: Math.floor(window * CHARS_PER_TOKEN * 0.5) };
}

/** A bounded transcript for the summary: long results are cut, and the middle goes when it must. */
export function transcriptOf(messages: readonly Message[], maxChars: number): string {
  const perMessage = Math.max(400, Math.floor(maxChars / Math.max(1, messages.length)));
  const lines = messages.map((message) => clip(describe(message), perMessage * 2));
  let size = lines.reduce((sum, line) => sum + line.length + 1, 0);
  let dropped = 0;
  while (size > maxChars && lines.length > 2) {
    const [gone] = lines.splice(Math.floor(lines.length / 3), 1);
    size -= gone!.length + 1;
    dropped++;
  }
  if (dropped > 0) lines.splice(Math.floor(lines.length / 3), 0, `[${dropped} messages left out]`);
  return clip(lines.join("\n"), maxChars);
}

/** Names the largest thing in a request that does not fit. */
export function largestPart(system: string, messages: readonly Message[]): string {
  let name = "the system prompt";
  let most = system.length;
  messages.forEach((message, at) => {
    const size = sizeOf(message);
    if (size <= most) return;
    most = size;
    const who = {
      user: "a message to the agent",
      assistant: "a reply of the model",
      tool: "the results of a tool call",
    }[message.role];
    name = `${who} (number ${at + 1} of ${messages.length})`;
  });
  return `${name}, about ${Math.ceil(most / 1000)} kB`;
}

/** What a compaction must not lose, taken from the record and not left to a model. */
export function keptFacts(state: SessionState): string {
  const task = clip(state.task, 4_000);
  const files = [...state.tally.files.keys()].slice(-50);
  return [
    `<task>\n${task}\n</task>`,
    files.length > 0 ? `<files-changed>\n${files.join("\n")}\n</files-changed>` : "",
    state.unknown.size > 0 ? `<outcome-unknown>\n${[...state.unknown].join("\n")}\n</outcome-unknown>` : "",
  ]
    .filter((part) => part !== "")
    .join("\n");
}

const tokensOf = (message: Message): number => Math.ceil(sizeOf(message) / CHARS_PER_TOKEN) + 4;

function sizeOf(message: Message): number {
  switch (message.role) {
    case "user":
      return saidSize(message.content);
    case "assistant":
      return message.content.reduce((sum, part) => {
        if (part.type === "call") return sum + JSON.stringify(part.input).length + part.tool.length;
        return sum + (part.type === "bad-call" ? Math.min(200, part.raw.length) : part.text.length);
      }, 0);
    case "tool":
      return message.results.reduce((sum, result) => sum + saidSize(result.content), 0);
  }
}

const saidSize = (content: readonly Said[]): number =>
  content.reduce(
    (sum, part) => sum + (part.type === "text" ? part.text.length : TOKENS_PER_IMAGE * CHARS_PER_TOKEN),
    0,
  );

function describe(message: Message): string {
  switch (message.role) {
    case "user":
      return `USER: ${textOf(message.content)}`;
    case "assistant":
      return message.content
        .map((part) => {
          if (part.type === "text") return `AGENT: ${part.text}`;
          return part.type === "call" ? `CALL ${part.tool} ${JSON.stringify(part.input)}` : "";
        })
        .filter((line) => line !== "")
        .join("\n");
    case "tool":
      return message.results.map((result) => `RESULT ${result.tool}: ${textOf(result.content)}`).join("\n");
  }
}

function clip(value: string, max: number): string {
  if (value.length <= max) return value;
  const half = Math.max(0, Math.floor(max / 2) - 12);
  return `${value.slice(0, half)}\n[… cut …]\n${value.slice(value.length - half)}`;
}
