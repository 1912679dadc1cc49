// The last turn of a run that must end: the model is asked once to hand in what it has, and its calls are not run.
import { linked } from "../../std/abort.ts";
import type { RunEvent } from "../../core/events.ts";
import type { Ending } from "../../core/end-state.ts";
import type { Json } from "../../core/json.ts";
import { type ReplyPart, text, textOf } from "../../core/messages.ts";
import { ModelFault } from "../../core/model-fault.ts";
import { judgeMessage, judgeYield } from "../../core/results/judge-result.ts";
import { YIELD } from "../../core/results/ways-out.ts";
import type { SessionState } from "../../core/session-state.ts";
import { modelTurn } from "./model-turn.ts";
import { tell } from "./promote.ts";
import type { Halt, Mark, Run } from "./run.ts";
import { endOpenCalls } from "./tool-batch.ts";

const GRACE_MS = 60_000;
const HAND_IN = "You must end now";

/** The last words to the model were to end, and it has not answered: a crash came between. */
export function wasHandingIn({ messages }: SessionState): boolean {
  const last = messages.at(-1);
  return last?.role === "user" && textOf(last.content).startsWith(HAND_IN);
}

export async function* graceTurn(run: Run, halt: Halt): AsyncGenerator<RunEvent, Ending, Mark> {
  const notRun = (): { ok: false; why: "interrupted"; said: [ReturnType<typeof text>] } => ({
    ok: false,
    why: "interrupted",
    said: [text(`Interrupted: ${halt.because}.`)],
  });
  yield* endOpenCalls(run, notRun);
  const ending = (output: string, structured?: Json): Ending => ({
    status: halt.status,
    output,
    ...(structured !== undefined && { structured }),
    ...(halt.by !== undefined && { by: halt.by }),
    error: { code: halt.status, message: halt.because, remedy: "resume the session to go on" },
  });
  const didWork = run.state.messages.some((message) => message.role === "assistant");
  if (!didWork) return ending(run.state.lastText);

  yield* tell(
    run,
    `${HAND_IN}: ${halt.because}. Hand in what you have in one message, without calling tools: what is done, what is not.`,
  );
  const limit = linked(run.signal);
  const over = new AbortController();
  run.clock.sleep(GRACE_MS, over.signal).then(
    () =>
      limit.abort(
        new ModelFault({ code: "timeout", message: "no hand-in within its time", remedy: "resume the session" }),
      ),
    () => {},
  );
  try {
    const reply = yield* modelTurn(run, limit.signal);
    yield* endOpenCalls(run, notRun);
    return handedIn(run.state, reply.content, ending);
  } catch (error) {
    if (run.signal.aborted || !(error instanceof ModelFault)) throw error;
    return ending(run.state.lastText);
  } finally {
    over.abort(null);
    limit.unlink();
  }
}

/** What the last reply hands in: also by a yield, which is not run any more. */
function handedIn(
  { opened, lastText }: SessionState,
  reply: readonly ReplyPart[],
  ending: (output: string, structured?: Json) => Ending,
): Ending {
  const schema = opened?.exit?.outputSchema;
  const yielded = reply.find((part) => part.type === "call" && part.tool === YIELD);
  const input = yielded?.type === "call" ? yielded.input : undefined;
  const said = textOf(reply).trim() || lastText;
  const judged = schema && (input ? judgeYield(schema, input) : judgeMessage(schema, said));
  if (judged?.fits) return ending(judged.output, judged.structured);
  const result = input?.["result"];
  return ending(typeof result === "string" ? result : said);
}
