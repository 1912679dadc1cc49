// Decides from the record whether a run goes on, is reminded, or ends, and how. Pure. Knows nothing of models or tools.
import type { Limits } from "./events.ts";
import type { Ending } from "./end-state.ts";
import { textOf } from "./messages.ts";
import type { SessionState } from "./session-state.ts";

export type NextStep =
  | { readonly is: "go on" }
  | { readonly is: "remind"; readonly reminder: string }
  | { readonly is: "end"; readonly ending: Ending };

/** Turns in a row that hold nothing to act on, before the run ends. */
const MOST_BAD_TURNS = 3;
/** The same calls with the same results in a row, before the run ends. */
const MOST_REPEATS = 25;

/** What follows from how the conversation stands, with every call of the last reply ended. */
export function nextStep(state: SessionState): NextStep {
  if (state.ended) return { is: "end", ending: endedBy(state.ended) };
  const last = state.messages.findLast((message) => message.role !== "tool");
  if (last?.role !== "assistant") return { is: "go on" };
  const called = last.content.some((part) => part.type === "call" || part.type === "bad-call");
  const said = textOf(last.content).trim();
  const { finish } = state;
  const end = (ending: Ending): NextStep => ({ is: "end", ending });
  if (finish === "refused")
    return end({
      status: "refused",
      output: said || state.lastText,
      error: {
        code: "refused",
        message: "the model declined to answer",
        remedy: "put the task differently or use another model",
      },
    });
  if (state.badTurns >= MOST_BAD_TURNS)
    return called
      ? end({
          status: "failed",
          output: state.lastText,
          error: {
            code: "malformed-calls",
            message: `the model sent nothing that could be run ${state.badTurns} times in a row`,
            remedy: "use another model",
          },
        })
      : end({ status: "empty", output: "" });
  if (state.repeats.count >= MOST_REPEATS && called)
    return end({
      status: "stalled",
      output: state.lastText,
      error: {
        code: "repeats",
        message: `the model made the same call with the same result ${state.repeats.count} times in a row`,
        remedy: "resume with a message that says what to do instead",
      },
    });
  if (called) return { is: "go on" };
  if (said === "")
    return { is: "remind", reminder: "Your reply was empty. Go on with the task, or give your final answer." };
  if (finish === "length") return end({ status: "partial", output: said });
  return end({ status: "succeeded", output: said });
}

/** How an agent ends that ended itself by a call: its result stands, whatever happens afterwards. */
export const endedBy = ({ output }: { readonly output: string }): Ending => ({
  status: output.trim() === "" ? "empty" : "succeeded",
  output,
});

/** Why the run has to hand in now, or undefined. */
export function atLimit(state: SessionState, limits: Limits): string | undefined {
  if (limits.maxTurns !== undefined && state.runTurns >= limits.maxTurns)
    return `the limit of ${limits.maxTurns} turn${limits.maxTurns === 1 ? "" : "s"} is reached`;
  return undefined;
}
