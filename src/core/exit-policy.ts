// Decides from the record whether a run goes on, is reminded, or ends, and how. Pure. Knows nothing of models or tools.
import type { Limits } from "./events.ts";
import type { Ending } from "./end-state.ts";
import { textOf } from "./messages.ts";
import { callInText } from "./results/call-in-text.ts";
import { judgeMessage } from "./results/judge-result.ts";
import type { SessionState } from "./session-state.ts";
import type { HandedIn } from "./tool-outcome.ts";
import { count } from "../std/count.ts";

export type NextStep =
  | { readonly is: "go on" }
  | { readonly is: "remind"; readonly reminder: string; readonly counts: boolean }
  | { readonly is: "end"; readonly ending: Ending };

/** Turns in a row that hold nothing to act on, before the run ends. */
const MOST_BAD_TURNS = 3;
/** The same calls with the same results in a row, before the run ends. */
const MOST_REPEATS = 25;
/** How often a run is told that it cannot end like this. */
const MOST_REMINDERS = 3;

/** What follows from how the conversation stands, with every call of the last reply ended. */
export function nextStep(state: SessionState, isTool: (name: string) => boolean = () => false): NextStep {
  if (state.ended) return end(endedBy(state.ended));
  const last = state.messages.findLast((message) => message.role !== "tool");
  if (last?.role !== "assistant") return { is: "go on" };
  const called = last.content.some((part) => part.type === "call" || part.type === "bad-call");
  const said = textOf(last.content).trim();
  if (state.finish === "refused")
    return end({
      status: "refused",
      output: said || state.lastText,
      error: {
        code: "refused",
        message: "the model declined to answer",
        remedy: "put the task differently or use another model",
      },
    });
  if (state.badTurns >= MOST_BAD_TURNS) return end(called ? malformed(state) : silent(state));
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
  if (called)
    return state.reminders > MOST_REMINDERS
      ? end(unfit(state.rejected?.output || state.lastText, state.rejected?.problem ?? ""))
      : { is: "go on" };
  if (said === "") {
    const reminder = "Your reply was empty. Go on with the task, or give your final answer.";
    return { is: "remind", reminder, counts: false };
  }
  return atLastMessage(state, said, isTool);
}

/** A message without calls ends a run, unless it has to end in another way or hand in something else. */
function atLastMessage(state: SessionState, said: string, isTool: (name: string) => boolean): NextStep {
  const { outputSchema, exitVia } = state.opened?.exit ?? {};
  const insist = (reminder: string, otherwise: Ending): NextStep =>
    state.reminders < MOST_REMINDERS ? { is: "remind", reminder, counts: true } : end(otherwise);
  if (exitVia)
    return insist(
      `A message does not end your work: you can end only by calling ${exitVia.join(" or ")}.`,
      parked(state, exitVia),
    );
  const judged = outputSchema && judgeMessage(outputSchema, said);
  const status = state.finish === "length" ? "partial" : "succeeded";
  if (judged?.fits) return end({ status, output: judged.output, structured: judged.structured });
  const written = callInText(said, isTool);
  if (written !== undefined)
    return insist(
      `Nothing was run: you wrote a call of ${written} as text. Call the tool itself, or give your answer in plain words.`,
      partial(said, "call-as-text", `it wrote a call of ${written} as text and never made it`),
    );
  if (judged)
    return insist(`Your result is not accepted: ${judged.problem}. Hand it in again.`, unfit(said, judged.problem));
  return end({ status, output: said });
}

const end = (ending: Ending): NextStep => ({ is: "end", ending });

/** How an agent ends that ended itself by a call: its result stands, whatever happens afterwards. */
export const endedBy = ({ output, structured }: HandedIn): Ending => ({
  status: output.trim() === "" && structured === undefined ? "empty" : "succeeded",
  output,
  ...(structured !== undefined && { structured }),
});

const malformed = (state: SessionState): Ending => ({
  status: "failed",
  output: state.lastText,
  error: {
    code: "malformed-calls",
    message: `the model sent nothing that could be run ${state.badTurns} times in a row`,
    remedy: "use another model",
  },
});

const silent = (state: SessionState): Ending => {
  const exitVia = state.opened?.exit?.exitVia;
  return exitVia ? parked(state, exitVia) : { status: "empty", output: "" };
};

const parked = (state: SessionState, exitVia: readonly string[]): Ending => ({
  status: "parked",
  output: state.lastText,
  error: {
    code: "exit",
    message: `it can end only by calling ${exitVia.join(" or ")}, and did not`,
    remedy: "resume it with a message that says what to do",
  },
});

const partial = (output: string, code: string, message: string): Ending => ({
  status: output.trim() === "" ? "empty" : "partial",
  output,
  error: { code, message, remedy: "read its transcript, or resume it with a message that says what to do" },
});

const unfit = (output: string, problem: string): Ending =>
  partial(output, "result", `its result does not fit the schema: ${problem}`);

/** Why the run has to hand in now, or undefined. */
export function atLimit(state: SessionState, limits: Limits): string | undefined {
  if (limits.maxTurns !== undefined && state.runTurns >= limits.maxTurns)
    return `the limit of ${count(limits.maxTurns, "turn")} is reached`;
  return undefined;
}
