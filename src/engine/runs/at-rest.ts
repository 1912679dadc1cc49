// The one place that knows whether anybody still works: every run that is there waits, and nothing but an answer from
// outside could wake one.
import type { CallId, SessionId } from "../../core/ids.ts";
import type { SessionState } from "../../core/session-state.ts";

export type AtRest = {
  /** A run waits by this call, or between its turns without one; only as long as `still` says so. */
  during<T>(session: SessionId, call: CallId | undefined, still: () => boolean, work: () => Promise<T>): Promise<T>;
  nobodyWorks(): boolean;
};

export type AtRestOptions = {
  /** The runs that are there. */
  live(): Iterable<SessionId>;
  stateOf(session: SessionId): SessionState | undefined;
  /** Something is under way between runs. */
  busy(): boolean;
  /** A run began to wait. */
  onWait(): void;
};

type Wait = { readonly call: CallId | undefined; still(): boolean };

export function createAtRest({ live, stateOf, busy, onWait }: AtRestOptions): AtRest {
  const waits = new Map<SessionId, Set<Wait>>();

  function works(session: SessionId): boolean {
    const own = [...(waits.get(session) ?? [])];
    if (own.length === 0 || !own.every((wait) => wait.still())) return true;
    for (const [call, { started }] of stateOf(session)?.batch?.open ?? [])
      if (started && !own.some((wait) => wait.call === call)) return true;
    return false;
  }

  return {
    async during(session, call, still, work) {
      const wait: Wait = { call, still };
      const own = waits.get(session) ?? new Set();
      waits.set(session, own.add(wait));
      const done = work();
      onWait();
      try {
        return await done;
      } finally {
        own.delete(wait);
        if (own.size === 0) waits.delete(session);
      }
    },
    nobodyWorks() {
      if (busy()) return false;
      for (const session of live()) if (works(session)) return false;
      return true;
    },
  };
}
