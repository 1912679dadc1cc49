// Drives a run's loop: each event is recorded, folded and shown before the loop may go on.
import type { Origin, RunEvent } from "../../core/events.ts";
import { isDurable } from "../../core/events.ts";
import type { RunResult } from "../../core/run-result.ts";
import type { Mark } from "../loop/run.ts";
import type { TreeWriter } from "./tree-writer.ts";

/** `signal` ends only the waiting for a broken disk: a run is stopped by its own signal. */
export async function drive(
  loop: AsyncGenerator<RunEvent, RunResult, Mark>,
  writer: TreeWriter,
  origin: Origin,
  signal: AbortSignal,
): Promise<RunResult> {
  const live: Mark = { durable: () => Promise.resolve() };
  let step = await loop.next(live);
  try {
    while (!step.done) {
      const event = step.value;
      if (isDurable(event)) {
        const { seq } = await writer.record(origin, event, signal);
        step = await loop.next({ durable: () => writer.durable(seq, origin, signal) });
      } else {
        writer.show(origin, event);
        step = await loop.next(live);
      }
    }
    return step.value;
  } catch (error) {
    // What the loop holds (a place at a provider's door) is given back; it is at a yield, so this does not wait.
    loop.return?.(undefined as never).catch(() => {});
    throw error;
  }
}
