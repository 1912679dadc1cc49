// A tree, folded from its one journal: every session, one cost meter, one budget.
import type { Budget, Mode, Origin, Recorded } from "./events.ts";
import type { AgentPath, SessionId } from "./ids.ts";
import { type Items, foldItems, newItems } from "./inbox.ts";
import { type SessionState, newSession } from "./session-state.ts";
import { costIn, ownCost } from "./session-cost.ts";
import { foldSession } from "./fold-session.ts";
import { type Cost, addCost, noCost } from "./usage.ts";

/** The mode belongs to the root: whoever changes it changes it for everyone. */
export type TreeState = {
  readonly sessions: Map<SessionId, SessionState>;
  readonly items: Items;
  /** Children whose SubagentStart was fired and whose SubagentStop was not. */
  readonly owedStops: Map<SessionId, OwedStop>;
  mode: Mode;
  budget: Budget;
  cost: Cost;
  knownUsd: number;
  /** Of all its agents. */
  turns: number;
  /** How long its lead has worked, up to the last record; `at` while it does. */
  worked: { ms: number; at: number | undefined };
};

export type OwedStop = { readonly path: AgentPath; readonly agent: string; readonly parent: Origin };

export const newTree = (): TreeState => ({
  sessions: new Map(),
  items: newItems(),
  owedStops: new Map(),
  mode: "confirm",
  budget: {},
  cost: noCost,
  knownUsd: 0,
  turns: 0,
  worked: { ms: 0, at: undefined },
});

export function foldTree(tree: TreeState, event: Recorded): SessionState {
  let session = tree.sessions.get(event.session);
  if (!session) tree.sessions.set(event.session, (session = newSession(event.session, event.path)));
  if (event.type === "budget.changed") tree.budget = event.budget;
  if (event.type === "mode.changed") tree.mode = event.mode;
  if (event.type === "session.opened" && !event.spawnedBy) tree.mode = event.permissions.mode;
  if (event.type === "hook.fired") foldHook(tree, event);
  if (event.type === "turn.started") tree.turns++;
  foldWorked(tree, session, event);
  const cost = costIn(event);
  if (cost) {
    tree.cost = addCost(tree.cost, cost);
    // One unknown price must not switch a budget off for what is known.
    tree.knownUsd += cost.costUsd ?? 0;
  }
  foldItems(tree.items, event, session);
  return foldSession(session, event);
}

function foldHook({ owedStops }: TreeState, hook: Recorded & { type: "hook.fired" }): void {
  const { session, path, parent, child, childPath, agent } = hook;
  if (hook.event === "SubagentStop") owedStops.delete(child);
  else owedStops.set(child, { path: childPath, agent, parent: { session, path, ...(parent && { parent }) } });
}

/** The time between a crash and the resume is nobody's work. */
function foldWorked({ worked }: TreeState, { opened }: SessionState, { type, time }: Recorded): void {
  const isLead = opened !== undefined && opened.spawnedBy === undefined;
  if (isLead && type === "run.started") worked.at = time;
  if (worked.at === undefined) return;
  worked.ms += Math.max(0, time - worked.at);
  worked.at = isLead && (type === "run.ended" || type === "run.paused" || type === "run.parked") ? undefined : time;
}

/** What an agent and all below it have cost. */
export function subtreeCost(tree: TreeState, path: AgentPath): Cost {
  let sum = noCost;
  for (const session of tree.sessions.values())
    if (session.path === path || session.path.startsWith(`${path}::`)) sum = addCost(sum, ownCost(session));
  return sum;
}
