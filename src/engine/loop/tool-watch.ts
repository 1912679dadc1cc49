// Ends a tool call that takes too long in all, or shows no sign of life. What waits for a child or a person is not
// silent: it waits.
import { text } from "../../core/messages.ts";
import type { ToolOutcome } from "../../core/tool-outcome.ts";
import type { Clock } from "../../ports/clock.ts";
import type { LeftOpen, Tool } from "../tools/define-tool.ts";

export type ToolWatch = { alive(): void; stop(): void };

/** The call showed no sign of life. */
export class Stalled extends Error {}

export function watchTool(
  clock: Clock,
  { name, timeoutMs, waitsFor }: Pick<Tool, "name" | "timeoutMs" | "waitsFor">,
  silenceMs: number | undefined,
  abort: (reason: Error) => void,
): ToolWatch {
  const stopped = new AbortController();
  const over = (): void => abort(new Error(`${name} took longer than ${timeoutMs / 1000} s`));
  if (silenceMs === undefined || waitsFor !== "tool" || silenceMs >= timeoutMs) {
    clock.sleep(timeoutMs, stopped.signal).then(over, () => {});
    return { alive: () => {}, stop: () => stopped.abort(null) };
  }
  const began = clock.ticks();
  let lastLife = began;
  const guard = async (): Promise<void> => {
    for (;;) {
      const now = clock.ticks();
      if (now >= began + timeoutMs) return over();
      if (now >= lastLife + silenceMs)
        return abort(new Stalled(`${name} showed no sign of life for ${silenceMs / 1000} s and was ended`));
      await clock.sleep(Math.min(began + timeoutMs, lastLife + silenceMs) - now, stopped.signal);
    }
  };
  guard().catch(() => {});
  return { alive: () => void (lastLife = clock.ticks()), stop: () => stopped.abort(null) };
}

/** A call that was ended for its silence has failed, whatever its tool says of being stopped. */
export function afterStall(outcome: ToolOutcome | LeftOpen, reason: unknown): ToolOutcome | LeftOpen {
  if (!(reason instanceof Stalled) || outcome === "left open" || outcome.ok) return outcome;
  const printed = outcome.facts ? outcome.said : [];
  return { ...outcome, why: "failed", said: [text(`Stalled: ${reason.message}.`), ...printed] };
}
