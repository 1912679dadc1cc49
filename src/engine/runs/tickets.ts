// Tickets for spawns: the limits are checked when one is taken, and children get their numbers in the order of their
// tickets. A ticket that comes to nothing leaves nothing behind.
import type { Origin } from "../../core/events.ts";
import { type SessionId, childPath, sessionId } from "../../core/ids.ts";
import type { TreeState } from "../../core/tree-state.ts";
import type { Random } from "../../ports/clock.ts";
import { type Numbers, createNumbers } from "./numbers.ts";
import type { Problem, TreeLimits } from "./spawn-kit.ts";

export type Ticket = {
  /** Waits until those before it have theirs, or were refused. */
  id(): Promise<Origin>;
  /** The child is recorded. */
  used(): void;
  giveBack(): void;
};

export type Tickets = { take(parent: Origin): Ticket | Problem };

export function createTickets(state: TreeState, limits: TreeLimits, random: Random): Tickets {
  const numbers: Numbers = createNumbers(state);
  const last = new Map<SessionId, Promise<void>>();
  const open = new Set<{ session?: SessionId }>();
  /** A child whose ticket is open may be recorded already: it counts once. */
  const agents = (): number => {
    let count = state.sessions.size;
    for (const { session } of open) if (!session || !state.sessions.has(session)) count++;
    return count;
  };

  return {
    take(parent) {
      const refused = overLimit(limits, parent, agents());
      if (refused !== undefined) return { problem: refused };
      const mine: { session?: SessionId } = {};
      open.add(mine);
      const before = last.get(parent.session);
      const turn = Promise.withResolvers<void>();
      last.set(parent.session, turn.promise);
      let number: number | undefined;
      const close = (): void => {
        open.delete(mine);
        turn.resolve();
        if (last.get(parent.session) === turn.promise) last.delete(parent.session);
      };
      return {
        async id() {
          await before;
          number = numbers.next(parent);
          turn.resolve();
          const session = (mine.session = sessionId(random.uuid()));
          return { session, path: childPath(parent.path, number), parent: parent.session };
        },
        used: close,
        giveBack() {
          close();
          if (number !== undefined) numbers.giveBack(parent, number);
        },
      };
    },
  };
}

/** The depth of an agent: 0 is the lead that a person started. */
export const depthOf = ({ leadDepth = 0 }: TreeLimits, path: string): number => leadDepth + path.split("::").length - 1;

function overLimit(limits: TreeLimits, parent: Origin, agents: number): string | undefined {
  if (depthOf(limits, parent.path) >= limits.maxDepth)
    return `children may be nested ${limits.maxDepth} deep, and ${parent.path} is at that depth: do it yourself`;
  if (agents >= limits.maxAgents) return `too many subagents: this tree already has ${agents} agents, its limit`;
  return undefined;
}
