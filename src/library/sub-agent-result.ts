// The result of an agent as the library gives it.
import type { Json } from "../core/json.ts";
import type { Message } from "../core/messages.ts";
import type { RunResult } from "../core/run-result.ts";
import type { Cost } from "../core/usage.ts";

/** What became of an agent: the result object of its run, and short names for what is asked most. */
export type SubAgentResult<Structured = Json> = Omit<RunResult, "usage" | "structured"> & {
  /** Its status is `succeeded`. */
  readonly success: boolean;
  /** How many tools it called. */
  readonly toolCallCount: number;
  /** How many model calls it made. */
  readonly iterations: number;
  /** Tokens and money of the agent and all below it; `own` without those below. `costUsd` is null where unknown. */
  readonly usage: Cost & { readonly own: Cost; readonly tree: Cost };
  /** Its result as data, where its definition has an `outputSchema`. */
  readonly structured?: Structured;
  /** Everything its model was shown and said, when that was asked for. */
  readonly innerMessages?: readonly Message[];
};

export function subAgentResult(result: RunResult, innerMessages?: readonly Message[]): SubAgentResult {
  const { own, tree } = result.usage;
  return {
    ...result,
    success: result.status === "succeeded",
    toolCallCount: result.toolCalls,
    iterations: result.turns,
    usage: { ...tree, own, tree },
    ...(innerMessages && { innerMessages }),
  };
}
