// A tree, folded from its one journal: every session, one cost meter, one budget.
import type { Budget, Recorded } from "./events.ts";
import type { SessionId } from "./ids.ts";
import { type SessionState, fold, newSession, ownCost } from "./session-state.ts";
import { type Cost, addCost, noCost, totalTokens } from "./usage.ts";

export type TreeState = { readonly sessions: Map<SessionId, SessionState>; budget: Budget };

export const newTree = (): TreeState => ({ sessions: new Map(), budget: {} });

export function foldTree(tree: TreeState, event: Recorded): SessionState {
  let session = tree.sessions.get(event.session);
  if (!session) tree.sessions.set(event.session, (session = newSession(event.session, event.path)));
  if (event.type === "budget.changed") tree.budget = event.budget;
  return fold(session, event);
}

export function treeCost(tree: TreeState): Cost {
  let sum = noCost;
  for (const session of tree.sessions.values()) sum = addCost(sum, ownCost(session));
  return sum;
}

/** Why no further request may be made, or undefined while the budget holds. */
export function spentUp(tree: TreeState): string | undefined {
  const { usd, tokens } = tree.budget;
  if (usd === undefined && tokens === undefined) return undefined;
  const cost = treeCost(tree);
  if (usd !== undefined && cost.costUsd !== null && cost.costUsd >= usd)
    return `the tree has spent $${cost.costUsd.toFixed(4)} of its $${usd} budget`;
  if (tokens !== undefined && totalTokens(cost) >= tokens)
    return `the tree has used ${totalTokens(cost)} of its ${tokens} tokens`;
  return undefined;
}
