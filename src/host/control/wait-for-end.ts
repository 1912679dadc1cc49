// Waits until an agent's run is over: ended, paused or parked; one that waits to be spoken to has none.
import { systemClock } from "../../adapters/clock/system-clock.ts";
import { isIdle } from "../../core/agent-rows.ts";
import type { SessionState } from "../../core/session-state.ts";
import type { ControlledTree } from "./controlled-tree.ts";

/** False when the time was over first. Rejects when `signal` aborts. */
export async function waitForEnd(
  tree: ControlledTree,
  agent: SessionState,
  timeoutMs: number | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const isOver = (): boolean => (agent.status !== "running" && agent.status !== "new") || isIdle(tree.state, agent);
  if (isOver()) return true;
  const done = new AbortController();
  const ended = new Promise<true>((resolve) => {
    const forget = tree.observe((event) => {
      if (event.session === agent.session && isOver()) resolve(true);
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
