// Whether a tree may go on under its budget: by what it has spent, and by what the requests under way may still cost.
import type { TreeState } from "./tree-state.ts";
import { totalTokens } from "./usage.ts";

export type OverBudget = { readonly message: string; readonly remedy: string };
export type Amount = { readonly usd: number; readonly tokens: number };

const MORE_MONEY = "resume with a higher --budget-usd or --budget-tokens";
const MORE_TIME = "raise limits.treeTurns or limits.treeMinutes in the configuration, then resume";

/** Why no further request may be made, or undefined while the budget holds. */
export function overBudget({ budget, cost, knownUsd, turns, worked }: TreeState): OverBudget | undefined {
  const { usd, tokens, ms } = budget;
  if (usd !== undefined && knownUsd >= usd)
    return { message: `the tree has spent $${knownUsd.toFixed(4)} of its $${usd} budget`, remedy: MORE_MONEY };
  if (tokens !== undefined && totalTokens(cost) >= tokens)
    return { message: `the tree has used ${totalTokens(cost)} of its ${tokens} tokens`, remedy: MORE_MONEY };
  if (budget.turns !== undefined && turns >= budget.turns)
    return { message: `the tree has taken ${turns} of its ${budget.turns} turns`, remedy: MORE_TIME };
  if (ms !== undefined && worked.ms >= ms)
    return {
      message: `the tree has worked ${Math.round(worked.ms / 1000)} s of its ${Math.round(ms / 1000)} s`,
      remedy: MORE_TIME,
    };
  return undefined;
}

/** Whether another request fits beside what is reserved. One alone always does: only what is spent stops a tree. */
export function fitsBudget({ budget, cost, knownUsd }: TreeState, reserved: Amount, need: Amount): boolean {
  if (reserved.usd === 0 && reserved.tokens === 0) return true;
  const { usd = Infinity, tokens = Infinity } = budget;
  return knownUsd + reserved.usd + need.usd <= usd && totalTokens(cost) + reserved.tokens + need.tokens <= tokens;
}

const LEAST_OUTPUT = 200;

/** What a reply of this tree usually takes. */
export const typicalOutput = ({ cost, turns }: TreeState): number =>
  Math.max(LEAST_OUTPUT, Math.round(cost.outputTokens / Math.max(1, turns)));
