// A clock that a test moves by hand, or that moves by itself to the next sleeper when nothing else is going on.
import type { Clock } from "../../ports/clock.ts";

export interface FakeClock extends Clock {
  /** Moves on, waking sleepers in the order of their times; those who sleep again within `ms` are woken again. */
  advance(ms: number): Promise<void>;
  /** How many sleep now. */
  readonly sleepers: number;
}

export type FakeClockOptions = {
  readonly startAt?: number;
  /** Jump to the next sleeper as soon as the event loop is idle. */
  readonly autoAdvance?: boolean;
};

type Sleeper = { readonly at: number; readonly wake: () => void };

export function fakeClock({ startAt = Date.UTC(2026, 0, 1), autoAdvance = false }: FakeClockOptions = {}): FakeClock {
  let ticks = 0;
  let sleeping: Sleeper[] = [];

  const wakeNext = (limit: number): boolean => {
    const next = sleeping[0];
    if (!next || next.at > limit) return false;
    sleeping = sleeping.slice(1);
    ticks = next.at;
    next.wake();
    return true;
  };

  return {
    now: () => startAt + ticks,
    ticks: () => ticks,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const abort = (): void => {
          sleeping = sleeping.filter((other) => other !== sleeper);
          reject(signal?.reason);
        };
        const wake = (): void => {
          signal?.removeEventListener("abort", abort);
          resolve();
        };
        const sleeper: Sleeper = { at: ticks + Math.max(0, ms), wake };
        signal?.addEventListener("abort", abort, { once: true });
        sleeping = [...sleeping, sleeper].sort((a, b) => a.at - b.at);
        if (autoAdvance) void idle().then(() => wakeNext(Number.POSITIVE_INFINITY));
      }),
    advance: async (ms) => {
      const end = ticks + ms;
      do await idle();
      while (wakeNext(end));
      ticks = Math.max(ticks, end);
    },
    get sleepers() {
      return sleeping.length;
    },
  };
}

/** Lets everything go on that can go on without time passing. */
const idle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
