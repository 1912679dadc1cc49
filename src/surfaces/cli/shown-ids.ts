// Session ids as a person reads them: on a terminal as much of each as is needed to mean it, elsewhere all of it.
import type { SessionId } from "../../core/ids.ts";
import { shortIds } from "../../core/short-ids.ts";
import { sessionIds } from "../../host/session-store.ts";
import { terminalWidth } from "./fit-table.ts";

export const shownIds = (stateDir: string): ((id: SessionId) => string) =>
  terminalWidth() === undefined ? (id) => id : shortIds(sessionIds(stateDir));
