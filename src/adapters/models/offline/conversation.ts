// The conversation as the rules see it: the person's last words, and what the model's own calls brought since.
import type { JsonObject } from "../../../core/json.ts";
import { type Message, textOf } from "../../../core/messages.ts";
import type { ModelRequest } from "../../../ports/model.ts";
import { diffStart } from "./diff.ts";

export type Result = {
  readonly tool: string;
  readonly input: JsonObject;
  readonly text: string;
  readonly failed: boolean;
};

export type Conversation = {
  readonly prompt: string;
  /** The diff that came with the prompt, as a pipe brings it. */
  readonly diff: GivenDiff | undefined;
  /** Nothing has been answered in this session yet. */
  readonly first: boolean;
  /** The run must end: no more calls. */
  readonly handIn: boolean;
  /** Replies with calls since the prompt. */
  readonly turns: number;
  readonly folder: string | undefined;
  /** Where Sous's own documentation lies, for the agent that answers from it. */
  readonly docs: string | undefined;
  readonly tools: ReadonlySet<string>;
  /** In the order of the calls; empty when the stage has not run. */
  results(stage: string): readonly Result[];
  /** What was not allowed, as it was told. */
  readonly refusals: readonly string[];
};

export type GivenDiff = { readonly text: string; readonly cut: boolean };

/** A tool's text is data from anywhere: bounded before any pattern meets it. */
const MOST_CHARS = 200_000;
const PROMPT_CHARS = 4_000;

export function conversationOf({ system, messages, tools }: ModelRequest): Conversation {
  const at = messages.findLastIndex(isPrompt);
  const since = messages.slice(at + 1);
  const byStage = resultsOf(since);
  const last = messages.at(-1);
  return {
    ...promptOf(messages[at]),
    first: !system.includes(CHILD) && !messages.slice(0, Math.max(at, 0)).some(isAnswer),
    handIn: last?.role === "user" && textOf(last.content).startsWith(HAND_IN),
    turns: since.filter((message) => message.role === "assistant" && callsOf(message).length > 0).length,
    folder: /^Folder: (.{1,500})$/m.exec(system)?.[1],
    docs: /^Its documentation is in (\/.{1,500}?): Grep there/m.exec(system)?.[1],
    tools: new Set(tools.map((tool) => tool.name)),
    results: (stage) => byStage.get(stage) ?? [],
    refusals: refusalsOf([...byStage.values()].flat()),
  };
}

/** An id that is new in the conversation and tells the stage. */
export const callIdOf = (messages: readonly Message[], stage: string, n: number): string =>
  `offline_${messages.length}_${stage}_${n}`;

const stageOf = (id: string): string | undefined => /^offline_[0-9]+_([a-z]+)_[0-9]+$/.exec(id)?.[1];

/** A child's report goes to an agent, which has introduced itself. */
const CHILD = "You are a child agent";
const HAND_IN = "You must end now:";
/** The engine's own words in the conversation, which are no prompt. */
const HARNESS = [
  HAND_IN,
  "Your reply was empty.",
  "Go on where you were interrupted.",
  "Your result is not accepted:",
  "A message does not end your work:",
  "Nothing was run: you wrote a call",
];

function isPrompt(message: Message): boolean {
  if (message.role !== "user") return false;
  const said = textOf(message.content);
  return !HARNESS.some((words) => said.startsWith(words));
}

const isAnswer = (message: Message): boolean =>
  message.role === "assistant" && callsOf(message).length === 0 && textOf(message.content).trim() !== "";

function promptOf(message: Message | undefined): Pick<Conversation, "prompt" | "diff"> {
  const whole = taskIn(message?.role === "user" ? textOf(message.content) : "");
  const from = diffStart(whole.slice(0, MOST_CHARS));
  const words = from < 0 ? whole : whole.slice(0, from);
  const diff =
    from < 0 ? undefined : { text: whole.slice(from, from + MOST_CHARS), cut: whole.length > from + MOST_CHARS };
  return { prompt: words.slice(0, PROMPT_CHARS).trim(), diff };
}

function taskIn(said: string): string {
  const from = said.startsWith("The conversation so far was compacted.") ? said.indexOf("<task>") : -1;
  if (from < 0) return said;
  const to = said.indexOf("</task>", from);
  return said.slice(from + "<task>".length, to < 0 ? undefined : to);
}

const callsOf = (message: Message) =>
  message.role === "assistant" ? message.content.flatMap((part) => (part.type === "call" ? [part] : [])) : [];

function resultsOf(messages: readonly Message[]): Map<string, Result[]> {
  const inputs = new Map(messages.flatMap(callsOf).map((part) => [part.call, part.input]));
  const byStage = new Map<string, Result[]>();
  for (const message of messages) {
    if (message.role !== "tool") continue;
    for (const { call, tool, content, failed } of message.results) {
      const stage = stageOf(call);
      const input = inputs.get(call);
      if (stage === undefined || input === undefined) continue;
      const result = { tool, input, text: textOf(content).slice(0, MOST_CHARS), failed };
      byStage.set(stage, [...(byStage.get(stage) ?? []), result]);
    }
  }
  return byStage;
}

function refusalsOf(results: readonly Result[]): readonly string[] {
  const told = results.filter((result) => result.failed && result.text.includes(" was refused:"));
  return [...new Set(told.map((result) => result.text.slice(0, 600).trim()))];
}
