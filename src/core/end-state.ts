// Builds the result of a run from its record. How it ended is decided here by the harness, never by what the model says.
import type { AgentPath } from "./ids.ts";
import { receiptOf } from "./receipt.ts";
import type { EndState, HaltState, RunResult } from "./run-result.ts";
import { type SessionState, ownCost } from "./session-state.ts";
import { type TreeState, treeCost } from "./tree-state.ts";

export type Ending = {
  readonly status: EndState | HaltState;
  readonly output: string;
  readonly error?: RunResult["error"];
  readonly by?: string;
};

export function resultOf(
  tree: TreeState,
  state: SessionState,
  ending: Ending,
  now: number,
  transcript: string,
): RunResult {
  const models = [...state.costs.keys()].filter((model) => model !== "");
  return {
    status: ending.status,
    output: ending.output,
    ...(ending.error && { error: ending.error }),
    ...(ending.by && { by: ending.by }),
    session: state.session,
    path: state.path as AgentPath,
    agent: state.opened?.agent ?? "",
    model: models.at(-1) ?? state.opened?.model ?? "",
    turns: state.turns,
    toolCalls: state.toolCalls,
    durationMs: Math.max(0, now - state.runStartedAt),
    usage: { own: ownCost(state), tree: treeCost(tree) },
    receipt: receiptOf(state.tally, models, ending.output),
    transcript,
    children: [],
  };
}
