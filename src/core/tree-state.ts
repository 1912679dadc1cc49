// A tree, folded from its one journal: every session, one cost meter, one budget.
import type { Budget, Mode, Origin, Recorded } from "./events.ts";
import type { AgentPath, SessionId } from "./ids.ts";
import { type Items, foldItems, newItems } from "./inbox.ts";
import { type SessionState, costIn, fold, newSession, ownCost } from "./session-state.ts";
import { type Cost, addCost, noCost, totalTokens } from "./usage.ts";

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
});

export function foldTree(tree: TreeState, event: Recorded): SessionState {
  let session = tree.sessions.get(event.session);
  if (!session) tree.sessions.set(event.session, (session = newSession(event.session, event.path)));
  if (event.type === "budget.changed") tree.budget = event.budget;
  if (event.type === "mode.changed") tree.mode = event.mode;
  if (event.type === "session.opened" && !event.spawnedBy) tree.mode = event.permissions.mode;
  if (event.type === "hook.fired") foldHook(tree, event);
  const cost = costIn(event);
  if (cost) {
    tree.cost = addCost(tree.cost, cost);
    // One unknown price must not switch a budget off for what is known.
    tree.knownUsd += cost.costUsd ?? 0;
  }
  foldItems(tree.items, event, session);
  return fold(session, event);
}

function foldHook({ owedStops }: TreeState, hook: Recorded & { type: "hook.fired" }): void {
  const { session, path, parent, child, childPath, agent } = hook;
  if (hook.event === "SubagentStop") owedStops.delete(child);
  else owedStops.set(child, { path: childPath, agent, parent: { session, path, ...(parent && { parent }) } });
}

/** What an agent and all below it have cost. */
export function subtreeCost(tree: TreeState, path: AgentPath): Cost {
  let sum = noCost;
  for (const session of tree.sessions.values())
    if (session.path === path || session.path.startsWith(`${path}::`)) sum = addCost(sum, ownCost(session));
  return sum;
}

/** Why no further request may be made, or undefined while the budget holds. */
export function spentUp({ budget, cost, knownUsd }: TreeState): string | undefined {
  const { usd, tokens } = budget;
  if (usd !== undefined && knownUsd >= usd) return `the tree has spent $${knownUsd.toFixed(4)} of its $${usd} budget`;
  if (tokens !== undefined && totalTokens(cost) >= tokens)
    return `the tree has used ${totalTokens(cost)} of its ${tokens} tokens`;
  return undefined;
}
