// Makes an open tree reachable from other terminals a moment after it began, so that no run begins later for it.
import { systemClock } from "../../adapters/clock/system-clock.ts";
import type { ControlledTree } from "./controlled-tree.ts";
import type { ControlPlace } from "./open-control.ts";

export type Control = { close(): Promise<void> };

/** By then the first model request is on its way. */
const AFTER_MS = 30;

export function startControl(place: ControlPlace, tree: ControlledTree, notice: (words: string) => void): Control {
  const closed = new AbortController();
  const opened = systemClock.sleep(AFTER_MS, closed.signal).then(
    async () => {
      try {
        const { openControl } = await import("./open-control.ts");
        return await openControl(place, tree);
      } catch (error) {
        notice(`other terminals cannot reach this run: ${(error as Error).message}`);
        return undefined;
      }
    },
    () => undefined,
  );
  return {
    async close() {
      closed.abort(null);
      (await opened)?.close();
    },
  };
}
