// The turn after the last of a child whose result is too long for its parent: it is asked once, with all that it still
// knows, for a shorter version. Its result stands whatever comes of that, also across a crash.
import { linked } from "../../std/abort.ts";
import type { Ending } from "../../core/end-state.ts";
import type { RunEvent } from "../../core/events.ts";
import { type Message, type ReplyPart, text, textOf } from "../../core/messages.ts";
import { ModelFault } from "../../core/model-fault.ts";
import { YIELD } from "../../core/results/ways-out.ts";
import type { Waiting } from "../../core/session-state.ts";
import type { ToolOutcome } from "../../core/tool-outcome.ts";
import { modelTurn } from "./model-turn.ts";
import { tell } from "./promote.ts";
import { withinBudget } from "./purse.ts";
import type { Mark, Run } from "./run.ts";
import { endOpenCalls } from "./tool-batch.ts";

const SUMMARY_MS = 60_000;

/** The shorter version, or undefined where none is wanted or none came of it. */
export async function* summaryTurn(run: Run, ending: Ending): AsyncGenerator<RunEvent, string | undefined, Mark> {
  const { state } = run;
  const { over, within } = state.opened?.child?.summarize ?? { over: Infinity, within: 0 };
  const isWords = ending.structured === undefined && (ending.status === "succeeded" || ending.status === "partial");
  if (!isWords || ending.output.length <= over || run.signal.aborted || run.handIn.aborted) return undefined;
  const limit = linked(AbortSignal.any([run.signal, run.handIn]));
  const done = new AbortController();
  run.clock.sleep(SUMMARY_MS, done.signal).then(
    () => limit.abort(new ModelFault({ code: "timeout", message: "no summary within its time", remedy: "" })),
    () => {},
  );
  let close: (() => void) | undefined;
  try {
    close = yield* withinBudget(run, limit.signal);
    if (!close) return undefined;
    if (!state.summarizing) {
      const { status, output, error } = ending;
      const kept = yield { type: "summary.asked", ending: { status, output, ...(error && { error }) } };
      await kept.durable();
    }
    yield* askOnce(run, request(ending.output.length, within));
    const given = ours(run).find(({ role }) => role === "assistant");
    const reply = given?.role === "assistant" ? given.content : (yield* modelTurn(run, limit.signal)).content;
    const short = shortVersion(reply);
    return short !== "" && short.length <= within ? short : undefined;
  } catch (error) {
    // It was stopped, or its model did not answer: it had ended before that.
    if (error instanceof ModelFault || limit.signal.aborted) return undefined;
    throw error;
  } finally {
    close?.();
    done.abort(null);
    limit.unlink();
    yield* endOpenCalls(run, () => notRun);
  }
}

/** What was said since it had ended; a crash may have come before any of it. */
const ours = ({ state }: Run): readonly Message[] => state.messages.slice(state.summarizing?.since ?? Infinity);

async function* askOnce(run: Run, words: string): AsyncGenerator<RunEvent, void, Mark> {
  const isAsked = ({ content }: Pick<Waiting, "content">): boolean => textOf(content) === words;
  if (ours(run).some((message) => message.role === "user" && isAsked(message))) return;
  const waiting = run.state.waiting.find((one) => one.from === "system" && isAsked(one));
  if (waiting) yield { type: "input.promoted", input: waiting.input };
  else yield* tell(run, words);
}

/** Models count characters badly: what they are asked for leaves room. */
const request = (length: number, within: number): string =>
  `Your report has ${length} characters; whoever asked keeps the whole and is shown a short version. Write that now, in at most ${Math.floor(within * 0.75)} characters and without calling tools: the findings with names and places first.`;

const notRun: ToolOutcome = { ok: false, why: "failed", said: [text("Not run: the agent has ended.")] };

function shortVersion(reply: readonly ReplyPart[]): string {
  const yielded = reply.find((part) => part.type === "call" && part.tool === YIELD);
  const result = yielded?.type === "call" ? yielded.input["result"] : undefined;
  return (typeof result === "string" ? result : textOf(reply)).trim();
}
