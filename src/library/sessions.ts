// What is recorded in a state folder, for programs.
import type { Recorded } from "../core/events.ts";
import type { SessionRow } from "../host/session-store.ts";

/** Recorded sessions of leads. */
export type Sessions = {
  /** Newest first. */
  list(): Promise<readonly SessionRow[]>;
  /** Everything that is recorded of a session and its children, by its id or the start of one. */
  events(id: string): Promise<readonly Recorded[]>;
  /** Removes a session that does not run, with its children's. */
  remove(id: string): Promise<void>;
};

export function createSessions(stateDir: string): Sessions {
  const store = () => import("../host/session-store.ts");
  const here = async () => (await import("../host/project-scope.ts")).scopeOf(process.cwd(), process.env);
  return {
    list: async () => (await store()).listSessions(stateDir),
    async events(id) {
      const { findSession, readState } = await store();
      return (await readState(stateDir, await findSession(stateDir, id, await here()))).events;
    },
    async remove(id) {
      const { findSession, removeSession } = await store();
      await removeSession(stateDir, await findSession(stateDir, id, await here()));
    },
  };
}
