// One model call: waits for the provider's door, streams, and tries again where that helps. Yields what people may
// watch and a record of each failed attempt; returns the complete reply, or throws the last fault.
import { linked } from "../../std/abort.ts";
import type { RunEvent } from "../../core/events.ts";
import { ModelFault } from "../../core/model-fault.ts";
import { nextTry } from "../../core/retry.ts";
import { type Usage, costOf } from "../../core/usage.ts";
import type { ModelRequest, Reply } from "../../ports/model.ts";
import { watch } from "../models/watchdog.ts";
import type { Mark, Run } from "./run.ts";

export async function* modelCall(
  run: Run,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, Reply, Mark> {
  for (let attempt = 1; ; attempt++) {
    const cooling = run.gate.cooling(run.model.provider);
    yield {
      type: "agent.waiting",
      for: cooling > 0 ? "cooldown" : "model",
      since: run.clock.now(),
      ...(cooling > 0 && { detail: `${run.model.provider} asked everyone to wait ${Math.ceil(cooling / 1000)} s` }),
    };
    const leave = await run.gate.enter(run.model, signal);
    const bill: Bill = { usage: undefined };
    try {
      return yield* attemptCall(run, request, signal, bill);
    } catch (error) {
      if (signal.aborted) {
        // What was cut off is paid for all the same.
        if (bill.usage) yield await cutOff(run, attempt, bill.usage);
        throw signal.reason;
      }
      if (!(error instanceof ModelFault)) throw error;
      const next = nextTry(attempt, error.fault, run.patience, run.random.next());
      if (next.retry && error.fault.retryAfterMs !== undefined)
        run.gate.cool(run.model.provider, error.fault.retryAfterMs);
      const { usage } = error.fault;
      yield {
        type: "model.failed",
        turn: run.state.turns,
        attempt,
        fault: error.fault,
        ...(next.retry && { retryInMs: Math.round(next.inMs) }),
        ...(usage && { costUsd: costOf(usage, await run.prices.priceOf(usage)) }),
      };
      if (!next.retry) throw error;
      leave();
      yield { type: "agent.waiting", for: "retry", since: run.clock.now(), detail: error.fault.message };
      // A provider's own waiting time is kept at the door, spread over everyone who waits there; the rest here.
      await run.clock.sleep(Math.max(0, next.inMs - (error.fault.retryAfterMs ?? 0)), signal);
    } finally {
      leave();
    }
  }
}

/** What a provider has counted of a call that did not come to its end. */
type Bill = { usage: Usage | undefined };

const cutOff = async (run: Run, attempt: number, usage: Usage): Promise<RunEvent> => ({
  type: "model.failed",
  turn: run.state.turns,
  attempt,
  fault: { code: "incomplete", message: "the call was cut off", remedy: "nothing: the run was stopped", usage },
  costUsd: costOf(usage, await run.prices.priceOf(usage)),
});

async function* attemptCall(
  run: Run,
  request: ModelRequest,
  signal: AbortSignal,
  bill: Bill,
): AsyncGenerator<RunEvent, Reply, Mark> {
  const call = linked(signal);
  const dog = watch(run.clock, run.callLimits, (fault) => call.abort(fault));
  const turn = run.state.turns;
  try {
    for await (const part of run.model.stream(request, call.signal)) {
      switch (part.type) {
        case "connected":
          dog.connected();
          break;
        case "alive":
          dog.alive();
          break;
        case "working":
          dog.token();
          break;
        case "text":
          dog.token();
          yield { type: "text.delta", turn, text: part.text };
          break;
        case "reasoning":
          dog.token();
          yield { type: "reasoning.delta", turn, text: part.text };
          break;
        case "billed":
          bill.usage = part.usage;
          break;
        case "reply":
          return part.reply;
      }
    }
    throw new ModelFault({
      code: "incomplete",
      message: "the model's stream ended without a complete reply",
      remedy: "try again; if it stays, check the provider's base URL",
    });
  } catch (error) {
    // However an adapter words its end, ours is the reason when we ended it.
    throw call.signal.aborted ? withBill(call.signal.reason, bill) : error;
  } finally {
    dog.stop();
    call.unlink();
  }
}

const withBill = (reason: unknown, { usage }: Bill): unknown =>
  reason instanceof ModelFault && usage && !reason.fault.usage ? new ModelFault({ ...reason.fault, usage }) : reason;
