// A tree's whole story, session by session, from its events: what exports are made of. Unlike the model's context it is
// not shortened by compactions; what the fold ignores is not told here either. Pure.
import type { Recorded, SessionOpened } from "./events.ts";
import type { AgentPath, CallId, InputId, SessionId } from "./ids.ts";
import { isUnderstood } from "./newer-format.ts";
import type { JsonObject } from "./json.ts";
import { badCallInput, type ReplyPart, type Said, textOf } from "./messages.ts";
import { PERSON } from "./session-state.ts";
import type { Usage } from "./usage.ts";

export type ToldCall = {
  readonly call: CallId;
  readonly tool: string;
  readonly input: JsonObject;
  result?: { readonly text: string; readonly failed: boolean };
  child?: SessionId;
};
export type ToldReply = {
  readonly by: "agent";
  readonly time: number;
  readonly model: string;
  /** The person typed the call; no model was asked. */
  readonly byPerson: boolean;
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly ToldCall[];
  readonly usage: Usage;
  readonly costUsd: number | null;
};
export type ToldStep = { readonly by: "user" | "system"; readonly time: number; readonly text: string } | ToldReply;
export type ToldSession = {
  readonly session: SessionId;
  readonly path: AgentPath;
  opened?: SessionOpened & { readonly time: number };
  readonly steps: ToldStep[];
};

const NOT_UNDERSTOOD = (type: string): string =>
  `A record of the type ${type.slice(0, 60)} stands here, which this version of Sous does not understand.`;

/** In the order in which they began: the lead is the first. */
export function toldSessions(events: readonly Recorded[]): ToldSession[] {
  const sessions = new Map<SessionId, ToldSession>();
  const waiting = new Map<InputId, { readonly by: "user" | "system"; readonly text: string }>();
  const open = new Map<string, ToldCall>();
  for (const event of events) {
    let told = sessions.get(event.session);
    if (!told) sessions.set(event.session, (told = { session: event.session, path: event.path, steps: [] }));
    if (!isUnderstood(event)) {
      told.steps.push({ by: "system", time: event.time, text: NOT_UNDERSTOOD(event.type) });
      continue;
    }
    switch (event.type) {
      case "session.opened":
        told.opened = event;
        break;
      case "input.admitted":
        waiting.set(event.input, { by: event.from === "system" ? "system" : "user", text: saidText(event.content) });
        break;
      case "input.promoted": {
        const input = waiting.get(event.input);
        waiting.delete(event.input);
        if (input) told.steps.push({ ...input, time: event.time });
        break;
      }
      case "assistant.replied": {
        const reply = replyOf(event);
        told.steps.push(reply);
        for (const call of reply.calls) open.set(`${event.session} ${call.call}`, call);
        break;
      }
      case "child.started": {
        const call = open.get(`${event.session} ${event.call}`);
        if (call) call.child = event.child;
        break;
      }
      case "tool.ended": {
        const call = open.get(`${event.session} ${event.call}`);
        open.delete(`${event.session} ${event.call}`);
        if (call) call.result = { text: saidText(event.outcome.said), failed: !event.outcome.ok };
        break;
      }
      case "context.compacted":
        told.steps.push({ by: "system", time: event.time, text: `The older part was summarised:\n${event.summary}` });
        break;
      case "model.failed":
        if (event.retryInMs === undefined)
          told.steps.push({ by: "system", time: event.time, text: `The model call failed: ${event.fault.message}` });
        break;
      case "note.added":
        told.steps.push({ by: "system", time: event.time, text: event.text });
        break;
    }
  }
  return [...sessions.values()];
}

function replyOf(event: Extract<Recorded, { type: "assistant.replied" }>): ToldReply {
  const { content, time, model, usage, costUsd } = event;
  return {
    by: "agent",
    time,
    model,
    byPerson: model === PERSON,
    text: textOf(content),
    reasoning: content.flatMap((part) => (part.type === "reasoning" && part.text ? [part.text] : [])).join("\n"),
    calls: content.flatMap(callOf),
    usage,
    costUsd,
  };
}

function callOf(part: ReplyPart): ToldCall[] {
  if (part.type === "call") return [{ call: part.call, tool: part.tool, input: part.input }];
  return part.type === "bad-call"
    ? [{ call: part.call, tool: part.tool, input: badCallInput(part) as JsonObject }]
    : [];
}

const saidText = (content: readonly Said[]): string =>
  content.map((part) => (part.type === "text" ? part.text : `[image ${part.mediaType}]`)).join("\n");

/** A damaged record may hold any number. */
export const isoTime = (ms: number): string => new Date(Math.abs(ms) <= 8.64e15 ? ms : 0).toISOString();
