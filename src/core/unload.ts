// An ended child stays in the tree with what others ask of it (how it ended, its result, cost and children). What it was
// shown and did stands in the journal, and is only needed when it is spoken to again.
import type { Recorded } from "./events.ts";
import { type SessionState, newSession } from "./session-state.ts";
import { foldSession } from "./fold-session.ts";

/** Lets go of an ended child's history, in place. One that works, waits or is spoken to keeps it. */
export function unload(state: SessionState): void {
  const { session, path } = state;
  const rests = state.opened?.spawnedBy && state.result && !GOES_ON.has(state.status);
  if (state.unloaded || !rests || state.waiting.length > 0 || state.batch) return;
  const { messages, measured, repeats, tally, task, callIds, files } = newSession(session, path);
  Object.assign(state, { messages, measured, repeats, tally, task, callIds, files, unloaded: true });
}

/** The same state again, in place, from all that was recorded of the session. */
export function reload(state: SessionState, events: readonly Recorded[]): void {
  const fresh = newSession(state.session, state.path);
  for (const event of events) foldSession(fresh, event);
  Object.assign(state, fresh);
}

const GOES_ON: ReadonlySet<SessionState["status"]> = new Set(["new", "running", "parked", "paused"]);
