// Takes a message for a session: it is safe on the disk before the sender is told so, and enters the conversation
// when the session's loop promotes it.
import type { DurableEvent, Origin, Recorded, Sender } from "../../core/events.ts";
import { type InputId, inputId } from "../../core/ids.ts";
import type { Said } from "../../core/messages.ts";
import type { Random } from "../../ports/clock.ts";

/** The part of the tree's writer that a mailbox needs. */
export type Recorder = {
  record(origin: Origin, event: DurableEvent, signal: AbortSignal): Promise<Recorded>;
  durable(seq: number, origin: Origin, signal: AbortSignal): Promise<void>;
};

export async function admit(
  recorder: Recorder,
  origin: Origin,
  message: { from: Sender; how: "prompt" | "steer" | "follow-up"; content: readonly Said[] },
  random: Random,
  signal: AbortSignal,
): Promise<InputId> {
  const input = inputId(random.uuid());
  const { seq } = await recorder.record(origin, { type: "input.admitted", input, ...message }, signal);
  await recorder.durable(seq, origin, signal);
  return input;
}
