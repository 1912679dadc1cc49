// One turn's model half: the call, made to fit when the provider says it does not, and the record of the reply.
import type { RunEvent } from "../../core/events.ts";
import { MOST_COMPACTIONS, largestPart } from "../../core/context.ts";
import { withOwnCallIds } from "../../core/own-call-ids.ts";
import { ModelFault } from "../../core/model-fault.ts";
import { costOf } from "../../core/usage.ts";
import type { ModelRequest, Reply } from "../../ports/model.ts";
import { count } from "../../std/count.ts";
import { compact } from "./compaction.ts";
import { modelCall } from "./model-call.ts";
import type { Mark, Run } from "./run.ts";

/** `compactions`: how many were made for this turn already. */
export async function* modelTurn(
  run: Run,
  signal: AbortSignal,
  compactions = 0,
): AsyncGenerator<RunEvent, Reply, Mark> {
  const turn = run.state.turns + 1;
  yield { type: "turn.started", turn, model: run.model.id };
  const said = yield* fittingCall(run, signal, compactions);
  const newId = (): string => `call-${run.random.uuid()}`;
  const reply = { ...said, content: withOwnCallIds(said.content, run.state.callIds, newId) };
  yield {
    type: "assistant.replied",
    turn,
    model: `${run.model.provider}/${reply.model}`,
    content: reply.content,
    finish: reply.finish,
    usage: reply.usage,
    costUsd: costOf(reply.usage, await run.prices.priceOf(reply.usage)),
  };
  return reply;
}

async function* fittingCall(run: Run, signal: AbortSignal, made: number): AsyncGenerator<RunEvent, Reply, Mark> {
  for (let attempt = made, compactions = made; ;) {
    try {
      return yield* modelCall(run, requestOf(run), signal);
    } catch (error) {
      if (!(error instanceof ModelFault) || !isTooMuch(error)) throw error;
      // An attempt that finds nothing to replace leaves the next, which keeps less.
      let smaller = false;
      while (!smaller && attempt < MOST_COMPACTIONS) smaller = yield* compact(run, attempt++, signal);
      if (smaller) compactions++;
      else throw tooMuch(run, error, compactions);
    }
  }
}

function tooMuch(run: Run, { fault }: ModelFault, compactions: number): ModelFault {
  const largest = largestPart(run.system, run.state.messages);
  return new ModelFault({
    ...fault,
    message: `the request does not fit the model, also after ${count(compactions, "compaction")}; largest: ${largest}`,
    remedy: "ask for less at once, or use a model with a larger context window",
  });
}

const isTooMuch = ({ fault }: ModelFault): boolean => fault.code === "overflow" || fault.code === "too-large";

const requestOf = (run: Run): ModelRequest => ({
  system: run.system,
  messages: run.state.messages,
  tools: run.tools.specs,
  cacheKey: run.state.session,
  ...(run.effort && { effort: run.effort }),
  ...(run.temperature !== undefined && { temperature: run.temperature }),
});
