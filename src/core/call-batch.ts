// The calls of one reply, from their start to the last of their results: the part of the fold that keeps them.
import type { DurableEvent } from "./events.ts";
import type { CallId } from "./ids.ts";
import type { JsonObject } from "./json.ts";
import { type BadCallPart, type CallPart, type ToolResult, textOf } from "./messages.ts";
import { isWayOut } from "./results/ways-out.ts";
import { countOutcome } from "./receipt.ts";
import type { SessionState } from "./session-state.ts";
import type { ToolOutcome } from "./tool-outcome.ts";
import { effectKey, forgetUnknown } from "./unknown-calls.ts";

/** `lasting`: it stands for something durable (a child, a question) and is taken up again, never lost. */
export type OpenCall = {
  readonly part: CallPart | BadCallPart;
  started: boolean;
  repeatable: boolean;
  lasting: boolean;
  /** What it was begun with, where that lasts and is not what the model asked for: a hook changed it. */
  changed?: JsonObject;
};
/** The calls of the last reply, until every one has its result. */
export type Batch = {
  readonly turn: number;
  readonly open: Map<CallId, OpenCall>;
  readonly results: ToolResult[];
  readonly order: CallId[];
  readonly byPerson: boolean;
};

export const newBatch = (turn: number, calls: readonly (CallPart | BadCallPart)[], byPerson: boolean): Batch => ({
  turn,
  open: new Map(calls.map((part) => [part.call, { part, started: false, repeatable: false, lasting: false }])),
  results: [],
  order: calls.map((part) => part.call),
  byPerson,
});

export function beginCall({ batch }: SessionState, event: Extract<DurableEvent, { type: "tool.started" }>): void {
  const call = batch?.open.get(event.call);
  if (!call) return;
  const { repeatable, lasting = false, input } = event;
  Object.assign(call, { started: true, repeatable, lasting });
  const asked = call.part.type === "call" ? JSON.stringify(call.part.input) : "";
  if (lasting && JSON.stringify(input) !== asked) call.changed = input;
}

export function endCall(state: SessionState, event: Extract<DurableEvent, { type: "tool.ended" }>): void {
  const { batch } = state;
  const call = batch?.open.get(event.call);
  if (!batch || !call) return;
  batch.open.delete(event.call);
  const { outcome } = event;
  // A call that was never begun because its agent had ended did not go wrong: it says nothing about the work.
  const isLeftOut = state.ended !== undefined && !call.started && !outcome.ok;
  noteEnd(state, call.part.tool, outcome);
  batch.results.push({ call: event.call, tool: call.part.tool, content: outcome.said, failed: !outcome.ok });
  if (!isLeftOut) countOutcome(state.tally, outcome, call.part);
  noteFiles(state, outcome);
  const key = call.part.type === "call" ? effectKey(call.part) : "";
  if (!outcome.ok && outcome.why === "interrupted" && call.started && !call.repeatable) state.unknown.add(key);
  else if (outcome.ok) forgetUnknown(state.unknown, key);
  if (batch.open.size > 0) return;
  batch.results.sort((a, b) => batch.order.indexOf(a.call) - batch.order.indexOf(b.call));
  noteRepeat(state, batch);
  state.messages.push({ role: "tool", results: batch.results });
  state.batch = undefined;
}

function noteFiles({ files }: SessionState, { facts = {} }: ToolOutcome): void {
  if (facts.read?.version) files.set(facts.read.path, facts.read.version);
  for (const { path, after } of facts.files ?? []) if (after) files.set(path, { stamp: "", hash: after });
}

/** Some calls end the agent: those that hand in its result, and those it was given as its ways out. */
function noteEnd(state: SessionState, tool: string, outcome: ToolOutcome): void {
  if (!outcome.ok && outcome.rejected) {
    state.reminders++;
    state.rejected = outcome.rejected;
  }
  if (!outcome.ok) return;
  if (outcome.ends) state.ended = outcome.ends;
  else if (isWayOut(state.opened?.exit, tool)) state.ended = { output: state.lastText || textOf(outcome.said) };
}

/** Counts the same calls giving the same results: the mark of a model that goes in circles. */
function noteRepeat(state: SessionState, batch: Batch): void {
  const last = state.messages.at(-1);
  const parts = last?.role === "assistant" ? last.content : [];
  const calls = parts.flatMap((part) => (part.type === "call" ? [effectKey(part)] : [])).join("\n");
  const results = JSON.stringify(batch.results.map((result) => result.content));
  const same = calls === state.repeats.calls && results === state.repeats.results;
  state.repeats = { calls, results, count: same ? state.repeats.count + 1 : 1 };
}
