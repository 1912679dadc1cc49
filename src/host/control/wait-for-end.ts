// Waits until an agent's run is over: ended, paused or parked.
import { systemClock } from "../../adapters/clock/system-clock.ts";
import type { SessionState } from "../../core/session-state.ts";
import type { ControlledTree } from "./controlled-tree.ts";

/** False when the time was over first. Rejects when `signal` aborts. */
export async function waitForEnd(
  tree: ControlledTree,
  agent: SessionState,
  timeoutMs: number | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  if (isOver(agent)) return true;
  const done = new AbortController();
  const ended = new Promise<true>((resolve) => {
    const forget = tree.observe((event) => {
      if (event.session === agent.session && isOver(agent)) resolve(true);
    });
    done.signal.addEventListener("abort", forget, { once: true });
  });
  const late = (ms: number): Promise<false> =>
    systemClock.sleep(ms, AbortSignal.any([signal, done.signal])).then(() => false);
  const gone = new Promise<never>((_, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true, signal: done.signal }),
  );
  try {
    return await Promise.race([ended, gone, ...(timeoutMs === undefined ? [] : [late(timeoutMs)])]);
  } finally {
    done.abort(null);
  }
}

const isOver = ({ status }: SessionState): boolean => status !== "running" && status !== "new";
