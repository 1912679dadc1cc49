// The sessions of a tree whose copies nobody has decided on yet.
import type { SessionState } from "../../core/session-state.ts";
import type { TreeState } from "../../core/tree-state.ts";

/** In the order in which they were asked for: those of one reply may be on record in any. */
export const openCopies = (state: TreeState): SessionState[] =>
  [...state.sessions.values()]
    .filter(({ copy }) => copy !== undefined)
    .sort((a, b) => a.path.localeCompare(b.path, "en", { numeric: true }));
