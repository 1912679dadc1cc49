// Which histories of a tree's sessions are in memory: those of ended children are let go of, and read back from the
// journal when somebody needs them again.
import type { Recorded } from "../../core/events.ts";
import type { SessionId } from "../../core/ids.ts";
import type { SessionState } from "../../core/session-state.ts";
import type { TreeState } from "../../core/tree-state.ts";
import { reload, unload } from "../../core/unload.ts";
import type { TreeLog } from "../../ports/tree-log.ts";
import { singleFlight } from "../../std/single-flight.ts";

export type Histories = {
  /** Lets go of an ended child's history; `load` brings it back. */
  unload(session: SessionId): void;
  /** The session with all of its history: needed before it is spoken to again, or read. */
  load(session: SessionId): Promise<SessionState>;
};

/** `noted` hears of every record, after it was folded. */
export function createHistories(log: TreeLog, { sessions }: TreeState): Histories & { noted(event: Recorded): void } {
  const once = singleFlight<SessionId, void>();
  /** What was recorded of a session while its history was being read. */
  const since = new Map<SessionId, Recorded[]>();

  async function readBack(state: SessionState): Promise<void> {
    const later: Recorded[] = [];
    since.set(state.session, later);
    try {
      const read = await log.history(state.session);
      const last = read.at(-1)?.seq ?? 0;
      reload(state, [...read, ...later.filter((event) => event.seq > last)]);
    } finally {
      since.delete(state.session);
    }
  }

  return {
    noted: (event) => void since.get(event.session)?.push(event),
    unload(session) {
      const state = sessions.get(session);
      if (state) unload(state);
    },
    async load(session) {
      const state = sessions.get(session);
      if (!state) throw new Error(`there is no session ${session}`);
      if (state.unloaded) await once(session, () => readBack(state));
      return state;
    },
  };
}
