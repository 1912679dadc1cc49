// Numbers of children: they count up per parent and are never used by two, also not by one that was only half made
// when a process died. One that came to nothing gives its number back.
import type { Origin } from "../../core/events.ts";
import type { SessionId } from "../../core/ids.ts";
import type { TreeState } from "../../core/tree-state.ts";

export type Numbers = {
  next(parent: Origin): number;
  giveBack(parent: Origin, number: number): void;
};

type Count = { highest: number; readonly free: Set<number> };

export function createNumbers({ sessions }: TreeState): Numbers {
  const counts = new Map<SessionId, Count>();
  const countOf = (parent: Origin): Count => {
    let count = counts.get(parent.session);
    if (!count) counts.set(parent.session, (count = { highest: highestOf(parent), free: new Set() }));
    return count;
  };
  const highestOf = ({ path: above }: Origin): number => {
    const prefix = `${above}::S`;
    let highest = 0;
    for (const { path } of sessions.values())
      if (path.startsWith(prefix)) highest = Math.max(highest, Number.parseInt(path.slice(prefix.length), 10) || 0);
    return highest;
  };
  return {
    next(parent) {
      const count = countOf(parent);
      const [free] = [...count.free].sort((a, b) => a - b);
      if (free === undefined) return ++count.highest;
      count.free.delete(free);
      return free;
    },
    giveBack(parent, number) {
      const count = countOf(parent);
      if (number === count.highest) count.highest--;
      else count.free.add(number);
    },
  };
}
