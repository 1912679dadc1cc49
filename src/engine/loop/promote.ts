// Moves what waits in the mailbox into the conversation, at the points where that is sound.
import type { RunEvent } from "../../core/events.ts";
import { inputId } from "../../core/ids.ts";
import { text } from "../../core/messages.ts";
import { hearPrompt } from "./hooking.ts";
import type { Mark, Run } from "./run.ts";

/**
 * Before a turn everything but follow-ups enters; when the run would end, the rest does. Says whether any did, and why
 * one was held back.
 */
export async function* promote(
  run: Run,
  at: "turn" | "end",
): AsyncGenerator<RunEvent, { readonly entered: boolean; readonly held?: string }, Mark> {
  const due = run.state.waiting.filter((waiting) => at === "end" || waiting.how !== "follow-up");
  let entered = false;
  let reason: string | undefined;
  for (const waiting of due) {
    const { held, context } = yield* hearPrompt(run, waiting);
    if (held !== undefined) {
      reason = held;
      continue;
    }
    yield { type: "input.promoted", input: waiting.input };
    if (context.length > 0) yield* tell(run, `[hook at this prompt] ${context.join("\n")}`);
    entered = true;
  }
  return { entered, ...(reason !== undefined && { held: reason }) };
}

/** The harness itself speaks to the model; recorded like any other input. */
export async function* tell(run: Run, words: string, reminder = false): AsyncGenerator<RunEvent, void, Mark> {
  const input = inputId(run.random.uuid());
  yield {
    type: "input.admitted",
    input,
    from: "system",
    how: "steer",
    content: [text(words)],
    ...(reminder && { reminder }),
  };
  yield { type: "input.promoted", input };
}
