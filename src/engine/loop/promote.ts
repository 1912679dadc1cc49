// Moves what waits in the mailbox into the conversation, at the points where that is sound.
import type { RunEvent } from "../../core/events.ts";
import { inputId } from "../../core/ids.ts";
import { text } from "../../core/messages.ts";
import type { Mark, Run } from "./run.ts";

/** Before a turn everything but follow-ups enters; when the run would end, the rest does. Returns whether any did. */
export async function* promote(run: Run, at: "turn" | "end"): AsyncGenerator<RunEvent, boolean, Mark> {
  const due = run.state.waiting.filter((waiting) => at === "end" || waiting.how !== "follow-up");
  for (const { input } of due) yield { type: "input.promoted", input };
  return due.length > 0;
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
