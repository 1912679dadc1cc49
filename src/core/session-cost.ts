// What a session has cost, by model: its replies, its compactions, and failed requests that were paid for.
import type { DurableEvent } from "./events.ts";
import type { SessionState } from "./session-state.ts";
import { type Cost, addCost, noCost } from "./usage.ts";

/** What an event cost, if it cost anything. */
export function costIn(event: DurableEvent): Cost | undefined {
  switch (event.type) {
    case "assistant.replied":
    case "context.compacted":
      return { ...event.usage, costUsd: event.costUsd };
    case "model.failed":
      return event.fault.usage && { ...event.fault.usage, costUsd: event.costUsd ?? null };
    default:
      return undefined;
  }
}

export function spend(state: SessionState, event: DurableEvent, model = ""): void {
  const cost = costIn(event);
  if (cost) state.costs.set(model, addCost(state.costs.get(model) ?? noCost, cost));
}

export function ownCost(state: SessionState): Cost {
  let sum = noCost;
  for (const cost of state.costs.values()) sum = addCost(sum, cost);
  return sum;
}
