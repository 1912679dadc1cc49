// Builds the result of a run from its record. How it ended is decided here by the harness, never by what the model says.
import type { AgentPath } from "./ids.ts";
import { openItems } from "./inbox.ts";
import type { Json } from "./json.ts";
import { receiptOf } from "./receipt.ts";
import type { EndState, HaltState, RunResult, WorkspaceReport } from "./run-result.ts";
import type { SessionState } from "./session-state.ts";
import { ownCost } from "./session-cost.ts";
import { type TreeState, subtreeCost } from "./tree-state.ts";

export type Ending = {
  readonly status: EndState | HaltState;
  readonly output: string;
  readonly summary?: string;
  readonly structured?: Json;
  readonly error?: RunResult["error"];
  readonly by?: string;
  readonly workspace?: WorkspaceReport;
};

export function resultOf(
  tree: TreeState,
  state: SessionState,
  ending: Ending,
  now: number,
  transcript: string,
): RunResult {
  const own = ownCost(state);
  const models = [...state.costs.keys()].filter((model) => model !== "");
  return {
    status: ending.status,
    output: ending.output,
    ...(ending.summary !== undefined && { summary: ending.summary }),
    ...(ending.structured !== undefined && { structured: ending.structured }),
    ...(ending.error && { error: ending.error }),
    ...(ending.by && { by: ending.by }),
    session: state.session,
    path: state.path as AgentPath,
    agent: state.opened?.agent ?? "",
    model: models.at(-1) ?? state.opened?.model ?? "",
    turns: state.turns,
    toolCalls: state.toolCalls,
    durationMs: state.runStartedAt === 0 ? 0 : Math.max(0, now - state.runStartedAt),
    usage: { own, tree: state.children.size === 0 ? own : subtreeCost(tree, state.path) },
    receipt: receiptOf(state.tally, models, ending.output),
    transcript,
    children: childRows(tree, state),
    ...(ending.workspace && { workspace: ending.workspace }),
    ...(ending.status === "parked" && { items: itemRows(tree, state) }),
  };
}

const itemRows = (tree: TreeState, state: SessionState): Json[] =>
  openItems(tree.items, state.path).map(({ id, kind, session, path, agent, text }) => {
    return { id, kind, session, path, agent, text };
  });

const childRows = (tree: TreeState, state: SessionState): Json[] =>
  [...state.children.values()].map(({ session, path, agent }) => {
    const child = tree.sessions.get(session);
    const status = child?.status ?? "queued";
    const workspace = child?.result?.workspace;
    return {
      ...{ session, path, agent, status, turns: child?.turns ?? 0, toolCalls: child?.toolCalls ?? 0 },
      ...(workspace && { workspace: workspace as unknown as Json }),
    };
  });
