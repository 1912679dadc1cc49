// Somebody broke in on a run and keeps it: what it did is told as interrupted, and it waits for words.
import type { RunEvent } from "../../core/events.ts";
import type { Ending } from "../../core/end-state.ts";
import { text } from "../../core/messages.ts";
import { isSpoken } from "../../core/fold-session.ts";
import { promote } from "./promote.ts";
import type { Interruption, Mark, Run } from "./run.ts";
import { endOpenCalls } from "./tool-batch.ts";

type Steps<Value> = AsyncGenerator<RunEvent, Value, Mark>;

export async function* breakOff(run: Run, { by, because }: Interruption): Steps<void> {
  yield* endOpenCalls(run, () => ({ ok: false, why: "interrupted", said: [text(`Interrupted: ${because}.`)] }));
  // Its own task, which it has not taken in yet, is not what it waits for.
  if (run.state.runTurns === 0) yield* promote(run, "turn");
  const mark = yield { type: "run.interrupted", run: run.id, by };
  await mark.durable();
}

/** Waits for words and takes them in; gives how the run ends when nobody will say any. */
export async function* hold(run: Run, { by }: { readonly by: string }): Steps<Ending | undefined> {
  // A hook may drop words: then others are waited for.
  while (run.state.held) {
    if (!run.state.waiting.some(isSpoken)) {
      yield { type: "agent.waiting", for: "person", since: run.clock.now(), detail: `interrupted by ${by}` };
      const came = (await run.words?.(AbortSignal.any([run.signal, run.handIn]))) ?? "nobody";
      if (came === "nobody") return silent(run, by);
    }
    yield* promote(run, "end");
  }
  return undefined;
}

const silent = (run: Run, by: string): Ending => ({
  status: "interrupted",
  output: run.state.lastText,
  by,
  error: {
    code: "interrupted",
    message: `interrupted by ${by}, and nobody said how to go on`,
    remedy: "send it a message to go on",
  },
});
