// What the requests under way in a tree may still cost: reserved when one begins, settled when its cost is on record.
// Near the budget requests go one after the other, so that many agents at once do not overshoot it together.
import { type Amount, fitsBudget, overBudget, typicalOutput } from "../../core/budget.ts";
import { contextTokens } from "../../core/context.ts";
import type { RunEvent } from "../../core/events.ts";
import type { TreeState } from "../../core/tree-state.ts";
import { costOf, noUsage } from "../../core/usage.ts";
import { orAborted } from "../../std/abort.ts";
import type { Mark, Run } from "./run.ts";

export type Purse = {
  /** Gives what settles it, or undefined where it does not fit now. */
  reserve(need: Amount): (() => void) | undefined;
  /** When something was settled. */
  settled(): Promise<void>;
};

export function createPurse(tree: TreeState): Purse {
  const open = new Set<Amount>();
  let next = Promise.withResolvers<void>();
  return {
    reserve(need) {
      const reserved = { usd: 0, tokens: 0 };
      for (const { usd, tokens } of open) {
        reserved.usd += usd;
        reserved.tokens += tokens;
      }
      if (!fitsBudget(tree, reserved, need)) return undefined;
      const own = { ...need };
      open.add(own);
      return () => {
        if (!open.delete(own)) return;
        next.resolve();
        next = Promise.withResolvers<void>();
      };
    },
    settled: () => next.promise,
  };
}

/** Waits until the next request fits the budget; gives what settles it, or undefined when the budget is spent. */
export async function* withinBudget(
  run: Run,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, (() => void) | undefined, Mark> {
  const { tree, purse } = run;
  const { budget } = tree;
  for (let told = false; ; told = true) {
    if (overBudget(tree)) return undefined;
    if (!purse || (budget.usd === undefined && budget.tokens === undefined)) return () => {};
    const changed = purse.settled();
    const settle = purse.reserve(await needOf(run));
    if (settle) return settle;
    if (!told) yield { type: "agent.waiting", for: "budget", since: run.clock.now(), detail: "near the tree's budget" };
    await orAborted(changed, signal);
  }
}

async function needOf({ state, tree, prices }: Run): Promise<Amount> {
  const usage = { ...noUsage, inputTokens: contextTokens(state), outputTokens: typicalOutput(tree) };
  return { tokens: usage.inputTokens + usage.outputTokens, usd: costOf(usage, await prices.priceOf(usage)) ?? 0 };
}
