// Advances a session by one event, in place (a history may be large): the only thing that changes one.
import { assertNever } from "../std/assert-never.ts";
import { beginCall, endCall, newBatch } from "./call-batch.ts";
import type { DurableEvent, Recorded, Sender, SessionOpened } from "./events.ts";
import type { InputId } from "./ids.ts";
import { type BadCallPart, type CallPart, type Message, type ReplyPart, text, textOf } from "./messages.ts";
import { countCall } from "./receipt.ts";
import { spend } from "./session-cost.ts";
import { type ChildRef, PERSON, type SessionState } from "./session-state.ts";
import { totalTokens } from "./usage.ts";
import { withSettings } from "./with-settings.ts";

/** A run that stands at one of these goes on: it has not ended. */
const HALTED: ReadonlySet<string> = new Set(["paused", "parked"]);

export function foldSession(state: SessionState, event: Recorded): SessionState {
  const lastChange = state.changedAt;
  state.changedAt = event.time;
  switch (event.type) {
    case "session.opened":
      openAs(state, event);
      state.openedAt = event.time;
      state.mode = event.permissions.mode;
      return state;
    case "run.started":
      // A run that a crash cut off, or that was paused, goes on under its limits; a finished one begins anew.
      if (!event.resumed || !goesOn(state.status)) Object.assign(state, { runTurns: 0, spentMs: 0 });
      else state.spentMs += Math.max(0, lastChange - state.runStartedAt);
      if (state.result && !HALTED.has(state.status)) state.ended = undefined;
      state.status = "running";
      state.run = event.run;
      state.limits = event.limits;
      state.runStartedAt = event.time;
      state.badTurns = 0;
      state.repeats = { calls: "", results: "", count: 0 };
      state.result = undefined;
      // Who starts a lead speaks to it; a child that a crash cut off still waits for words.
      if (!state.opened?.child) state.held = undefined;
      return state;
    case "run.interrupted":
      state.held = { by: event.by };
      return state;
    case "run.resumed":
      state.status = "running";
      state.result = undefined;
      return state;
    case "input.admitted":
      state.admitted.add(event.input);
      // A new task for an agent that had ended and was cut off before the record of its end.
      if (event.how === "prompt") state.ended = undefined;
      // Words of others are a new task for it.
      if (event.from !== "system") state.summarizing = undefined;
      if (event.reminder) state.reminders++;
      else if (event.how === "prompt" || event.from === "person") state.reminders = 0;
      state.waiting.push({ input: event.input, from: event.from, how: event.how, content: event.content });
      return state;
    case "input.promoted":
      promote(state, event.input);
      return state;
    case "input.dropped":
      state.waiting = state.waiting.filter(({ input }) => input !== event.input);
      return state;
    case "turn.started":
      state.turns = event.turn;
      state.runTurns++;
      return state;
    case "assistant.replied":
      reply(state, event);
      return state;
    case "model.failed":
      spend(state, event, state.opened?.model);
      return state;
    case "tool.started":
      state.callIds.add(event.call);
      // A call that only reads, or stands for a child, is begun again after a crash: it is still one call.
      if (!state.batch?.open.get(event.call)?.started) {
        state.toolCalls++;
        countCall(state.tally, event.tool);
      }
      beginCall(state, event);
      return state;
    case "tool.ended":
      state.callIds.add(event.call);
      endCall(state, event);
      return state;
    case "context.compacted":
      state.messages = [
        { role: "user", content: [text(event.summary)] },
        ...(event.keep > 0 ? state.messages.slice(-event.keep) : []),
      ];
      state.measured = { tokens: 0, messages: 0 };
      state.compactions++;
      spend(state, event, state.opened?.model);
      return state;
    case "mode.changed":
      state.mode = event.mode;
      return state;
    case "settings.changed":
      state.opened &&= withSettings(state.opened, event);
      return state;
    case "summary.asked":
      state.summarizing = { ...event.ending, since: state.messages.length };
      return state;
    case "run.ended":
      // A run that ended before it began has only this record.
      state.run = event.run;
      state.held = undefined;
      state.summarizing = undefined;
      state.status = event.result.status;
      state.result = event.result;
      return state;
    case "run.paused":
    case "run.parked":
      state.status = event.result.status;
      state.result = event.result;
      return state;
    case "child.started":
      state.children.set(event.child, {
        session: event.child,
        path: event.childPath,
        agent: event.agent,
        call: event.call,
        background: event.background,
        ...(event.name !== undefined && { name: event.name }),
        ended: event.idle ?? false,
      });
      return state;
    case "child.backgrounded":
    case "child.resumed":
      changeChild(state.children.get(event.child), event);
      return state;
    case "child.ended": {
      const child = state.children.get(event.child);
      if (child) child.ended = true;
      return state;
    }
    case "workspace.bound": {
      const { root, store, base, branch, source } = event;
      state.copy = { root, store, base, branch, source };
      return state;
    }
    case "workspace.released":
      // It may come long after its run: that time was not worked.
      state.changedAt = lastChange;
      state.copy = undefined;
      return state;
    case "item.answered":
      // It may come while nothing runs: the time until then was not worked.
      state.changedAt = lastChange;
      return state;
    case "item.added":
      if (event.kind !== "note") state.callIds.add(event.call);
      return state;
    case "budget.changed":
    case "hook.fired":
    case "note.added":
      return state;
    default:
      return ignoreUnknown(state, event);
  }
}

/** A newer version may write types this one does not know: they are kept in the log and change nothing here. */
function ignoreUnknown(state: SessionState, event: never): SessionState {
  if (typeof (event as { type?: unknown }).type === "string") return state;
  return assertNever(event);
}

function openAs(state: SessionState, { history, ...opened }: SessionOpened): void {
  state.opened = opened;
  if (!history) return;
  state.messages = [...history.messages];
  for (const { call } of history.messages.flatMap(callsOf)) state.callIds.add(call);
}

function changeChild(
  child: ChildRef | undefined,
  event: Extract<DurableEvent, { type: "child.backgrounded" | "child.resumed" }>,
): void {
  if (!child) return;
  child.background = true;
  if (event.type === "child.backgrounded") return;
  const { after, input, by, content } = event;
  child.ended = false;
  child.resumed = { after, input, by, content };
}

/** Words that let an interrupted agent go on: its children's reports do not. */
export const isSpoken = ({ from }: { readonly from: Sender }): boolean => from === "person" || from === "parent";

function promote(state: SessionState, input: InputId): void {
  const at = state.waiting.findIndex((waiting) => waiting.input === input);
  const [taken] = at < 0 ? [] : state.waiting.splice(at, 1);
  if (!taken) return;
  if (isSpoken(taken)) state.held = undefined;
  state.messages.push({ role: "user", content: taken.content });
  if (state.task === "") state.task = textOf(taken.content);
  else if (isSpoken(taken)) state.latest = textOf(taken.content);
}

const callsIn = (content: readonly ReplyPart[]): (CallPart | BadCallPart)[] =>
  content.filter((part) => part.type === "call" || part.type === "bad-call");
const callsOf = (message: Message): (CallPart | BadCallPart)[] =>
  message.role === "assistant" ? callsIn(message.content) : [];

const goesOn = (status: SessionState["status"]): boolean =>
  status === "running" || status === "paused" || status === "parked";

function reply(state: SessionState, event: Extract<DurableEvent, { type: "assistant.replied" }>): void {
  state.messages.push({ role: "assistant", content: event.content });
  state.finish = event.finish;
  state.measured = { tokens: totalTokens(event.usage), messages: state.messages.length };
  if (event.model !== PERSON) spend(state, event, event.model);
  const said = textOf(event.content).trim();
  if (said) state.lastText = said;
  const calls = callsIn(event.content);
  for (const { call } of calls) state.callIds.add(call);
  state.badTurns = calls.some((part) => part.type === "call") || (said && calls.length === 0) ? 0 : state.badTurns + 1;
  if (calls.length > 0) state.batch = newBatch(event.turn, calls, event.model === PERSON);
}
