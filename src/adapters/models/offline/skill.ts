// What a skill of the offline model is: stages of tool calls, each decided from what came back so far, then an answer.
import type { JsonObject } from "../../../core/json.ts";
import type { Conversation } from "./conversation.ts";

export type Call = { readonly tool: string; readonly input: JsonObject };

export type Stage<Intent> = {
  /** Small letters only: it is part of the calls' ids, which is how a stage knows its results again. */
  readonly name: string;
  /** None when there is nothing to look up: the next stage follows at once. */
  calls(talk: Conversation, intent: Intent): readonly Call[];
};

export type Skill<Intent> = {
  readonly stages: readonly Stage<Intent>[];
  /** Can be asked for at any time, also before every stage has run. */
  answer(talk: Conversation, intent: Intent): string;
};

export type Move = { readonly stage: string; readonly calls: readonly Call[] } | { readonly answer: string };

/** Bounds the work of one reply and of one prompt. */
const MOST_CALLS = 8;
const MOST_TURNS = 6;

export function nextMove<Intent>(skill: Skill<Intent>, talk: Conversation, intent: Intent): Move {
  if (!talk.handIn && talk.turns < MOST_TURNS)
    for (const stage of skill.stages) {
      if (talk.results(stage.name).length > 0) continue;
      const calls = stage.calls(talk, intent).filter((call) => talk.tools.has(call.tool));
      if (calls.length > 0) return { stage: stage.name, calls: calls.slice(0, MOST_CALLS) };
    }
  return { answer: skill.answer(talk, intent) };
}
