// The one agent loop, for lead and child. It yields events and is pulled: what it does after a yield happens after
// that event was recorded. It knows no disk and no screen.
import type { RunEvent } from "../../core/events.ts";
import { type Ending, resultOf } from "../../core/end-state.ts";
import { atLimit, endedBy, nextStep } from "../../core/exit-policy.ts";
import { haltedBy } from "../../core/halted.ts";
import type { CallId } from "../../core/ids.ts";
import { waitingItem } from "../../core/inbox.ts";
import { text } from "../../core/messages.ts";
import { ModelFault } from "../../core/model-fault.ts";
import type { HaltState, RunResult } from "../../core/run-result.ts";
import type { ToolOutcome } from "../../core/tool-outcome.ts";
import { overBudget } from "../../core/budget.ts";
import { settle } from "../sessions/resume.ts";
import { compact, needsRoom } from "./compaction.ts";
import { breakOff, hold } from "./hold.ts";
import { answeredBySpeaking, exitQuestion } from "./exit-question.ts";
import { graceTurn, wasHandingIn } from "./grace-turn.ts";
import { heldAtEnd, heldBack } from "./hooking.ts";
import { humanTurn } from "./human-turn.ts";
import { keepWhole } from "./keep-whole.ts";
import { modelTurn } from "./model-turn.ts";
import { promote, tell } from "./promote.ts";
import { withinBudget } from "./purse.ts";
import type { Halt, Interruption, Mark, Run } from "./run.ts";
import { summaryTurn } from "./summary-turn.ts";
import { endOpenCalls, toolBatch } from "./tool-batch.ts";

type Steps<Value> = AsyncGenerator<RunEvent, Value, Mark>;

export async function* runLoop(run: Run): Steps<RunResult> {
  const resumed = run.state.turns > 0;
  const personSpeaks = run.state.waiting.some((waiting) => waiting.from === "person");
  yield { type: "run.started", run: run.id, limits: run.limits, resumed };
  const isAsked = (call: CallId): boolean => waitingItem(run.tree.items, run.state.session, call) !== undefined;
  for (const event of settle(run.state, personSpeaks, isAsked)) yield event;
  yield* answeredBySpeaking(run);
  if (resumed && wasHandingIn(run.state)) yield* tell(run, "That no longer holds: go on with the task.");
  const ending = run.state.summarizing ?? (yield* untilEnd(run));
  if (isHalt(ending.status)) yield { type: "agent.waiting", for: haltsFor[ending.status], since: run.clock.now() };
  await windUp(run, ending);
  const summary = yield* summaryTurn(run, ending);
  const workspace = run.settle && !isHalt(ending.status) ? await run.settle() : undefined;
  const whole = { ...ending, ...(summary !== undefined && { summary }), ...(workspace && { workspace }) };
  const result = keepWhole(run, resultOf(run.tree, run.state, whole, run.clock.now(), run.transcript));
  const mark = isHalt(ending.status)
    ? yield { type: `run.${ending.status}`, run: run.id, why: ending.error?.message ?? "", result }
    : yield { type: "run.ended", run: run.id, result };
  await mark.durable();
  return result;
}

/** No child outlives its parent's run: those that still work are stopped, or, when the run will go on, waited for. */
async function windUp(run: Run, { status, error }: Ending): Promise<void> {
  if (isHalt(status)) return run.spawner?.end();
  return run.spawner?.end({ status: "cancelled", by: "parent", because: error?.message ?? "its parent has ended" });
}

const haltsFor = { paused: "budget", parked: "person" } as const;
const isHalt = (status: Ending["status"]): status is HaltState => status === "paused" || status === "parked";

async function* untilEnd(run: Run): Steps<Ending> {
  for (;;) {
    const breakIn = run.interrupts();
    try {
      const silent = run.state.held && (yield* hold(run, run.state.held));
      return silent ?? (yield* turns(run, AbortSignal.any([run.signal, run.handIn, breakIn])));
    } catch (error) {
      if (run.signal.aborted) return yield* stopped(run);
      if (run.handIn.aborted && error === run.handIn.reason) return yield* handingIn(run, run.handIn.reason as Halt);
      if (error instanceof ModelFault) return failure(run, error);
      if (!breakIn.aborted || error !== breakIn.reason) throw error;
      yield* breakOff(run, breakIn.reason as Interruption);
    }
  }
}

async function* turns(run: Run, signal: AbortSignal): Steps<Ending> {
  const { state } = run;
  for (let stopsHeld = 0; ;) {
    // Also what a resumed session had asked for and not begun.
    if (isWhole(state.finish)) yield* toolBatch(run, signal);
    else yield* endOpenCalls(run, () => notWhole);
    // A call that was left open stands for a child that is halted, or a question: so is the run.
    if (state.batch) return haltedBy(run.tree, state, "a child is paused");
    const next = nextStep(state, (name) => run.tools.find(name) !== undefined);
    if (next.is === "end") {
      // An agent that ended itself ends at once.
      const more = state.ended ? "nothing" : yield* moreToDo(run, signal);
      if (more === "halted") return haltedBy(run.tree, state, "children in the background are paused");
      if (typeof more === "object") return heldBack(more.held);
      if (more === "nothing" && next.ending.status === "parked") {
        const parked = yield* exitQuestion(run, next.ending, signal);
        if (parked) return parked;
      } else if (more === "nothing") {
        const held = yield* heldAtEnd(run, next.ending, stopsHeld);
        if (held === undefined) return next.ending;
        stopsHeld++;
        yield* tell(run, `[hook at the end] ${held}`);
      }
    }
    if (next.is === "remind") yield* tell(run, next.reminder, next.counts);
    signal.throwIfAborted();
    const limit = atLimit(state, run.limits);
    if (limit) return yield* graceTurn(run, { status: "limit", because: limit });
    if (overBudget(run.tree)) return haltedBy(run.tree, state, "the budget is spent");
    const { held } = yield* promote(run, "turn");
    signal.throwIfAborted();
    if (held !== undefined && state.messages.length === 0) return heldBack(held);
    const close = yield* withinBudget(run, signal);
    if (!close) return haltedBy(run.tree, state, "the budget is spent");
    try {
      const made = (await needsRoom(run)) && (yield* compact(run, 0, signal)) ? 1 : 0;
      const driven = run.tree.mode === "human" ? yield* humanTurn(run, signal) : "nobody";
      if (driven === "parked") return haltedBy(run.tree, state, "nobody gives its next command");
      if (driven === "nobody") yield* modelTurn(run, signal, made);
    } finally {
      close();
    }
  }
}

/** A run does not end before its children in the background have: their results may change its answer. */
async function* moreToDo(run: Run, signal: AbortSignal): Steps<"input" | "halted" | "nothing" | { held: string }> {
  for (;;) {
    const { entered, held } = yield* promote(run, "end");
    if (entered) return "input";
    if (held !== undefined && run.state.runTurns === 0) return { held };
    if (!run.spawner || run.spawner.pending() === 0) return "nothing";
    yield { type: "agent.waiting", for: "child", since: run.clock.now() };
    if ((await run.spawner.delivered(signal)) === "halted") return "halted";
  }
}

/** A second, hard stop may still come during the last turn. */
async function* handingIn(run: Run, halt: Halt): Steps<Ending> {
  try {
    return yield* graceTurn(run, halt);
  } catch (error) {
    if (run.signal.aborted) return yield* stopped(run);
    throw error;
  }
}

async function* stopped(run: Run): Steps<Ending> {
  const halt = run.signal.reason as Halt;
  // A result that was handed over stands.
  if (run.state.ended) {
    yield* endOpenCalls(run, () => ({ ok: false, why: "failed", said: [text("Not run: the agent has ended.")] }));
    return endedBy(run.state.ended);
  }
  yield* endOpenCalls(run, () => ({ ok: false, why: "interrupted", said: [text(`Interrupted: ${halt.because}.`)] }));
  return {
    status: "cancelled",
    output: run.state.lastText,
    by: halt.by ?? "system",
    error: { code: "cancelled", message: halt.because, remedy: "resume the session to go on" },
  };
}

const failure = (run: Run, { fault }: ModelFault): Ending => ({
  status: fault.code === "refused" ? "refused" : "failed",
  output: run.state.lastText,
  error: { code: fault.code, message: fault.message, remedy: fault.remedy },
});

const isWhole = (finish: string): boolean => finish !== "length" && finish !== "refused";

const notWhole: ToolOutcome = {
  ok: false,
  why: "failed",
  said: [text("Not run: the reply was cut short, so this call may not be whole. Make smaller calls.")],
};
