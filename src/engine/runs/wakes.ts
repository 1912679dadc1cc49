// Waits that end when something happens to a session.
import type { SessionId } from "../../core/ids.ts";
import { orAborted } from "../../std/abort.ts";

export type Wakes = {
  wake(session: SessionId): void;
  /** Looks again at each wake of the session; rejects with the signal's reason. */
  until(session: SessionId, isSo: () => boolean, signal: AbortSignal): Promise<void>;
};

export function createWakes(): Wakes {
  const waiting = new Map<SessionId, Set<() => void>>();
  return {
    wake(session) {
      const woken = waiting.get(session);
      waiting.delete(session);
      for (const go of woken ?? []) go();
    },
    async until(session, isSo, signal) {
      while (!isSo()) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const all = waiting.get(session) ?? new Set();
        waiting.set(session, all.add(resolve));
        try {
          await orAborted(promise, signal);
        } finally {
          all.delete(resolve);
        }
      }
    },
  };
}
