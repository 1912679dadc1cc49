// Waits until something is so, for tests of what happens in another process or at another time.
import { setTimeout as sleep } from "node:timers/promises";

/** Resolves with the first truthy value of `probe`; rejects after `ms` with what the last try gave or threw. */
export async function waitFor<T>(probe: () => T | Promise<T>, ms = 5_000, everyMs = 10): Promise<NonNullable<T>> {
  const end = performance.now() + ms;
  for (;;) {
    let last: unknown;
    try {
      const value = await probe();
      if (value) return value;
      last = value;
    } catch (error) {
      last = error;
    }
    if (performance.now() >= end)
      throw new Error(`still not so after ${ms} ms; last: ${String(last)}`, { cause: last });
    await sleep(everyMs);
  }
}
