// A tree in the Agent Trajectory Interchange Format, version 1.7, as Harbor's validator accepts it. Pure.
import type { JsonObject } from "./json.ts";
import { isoTime, type ToldCall, type ToldReply, type ToldSession, type ToldStep } from "./told-steps.ts";
import type { TreeState } from "./tree-state.ts";
import { ownCost } from "./session-cost.ts";

export type Trajectory = {
  readonly schema_version: "ATIF-v1.7";
  readonly session_id: string;
  readonly trajectory_id: string;
  readonly agent: { readonly name: string; readonly version: string; readonly model_name?: string; extra: JsonObject };
  readonly steps: readonly JsonObject[];
  readonly final_metrics: JsonObject;
  readonly subagent_trajectories?: readonly Trajectory[];
};

/** The first session is the lead; the others are its children, embedded. */
export function atifOf([lead, ...children]: readonly ToldSession[], state: TreeState): Trajectory | undefined {
  if (!lead) return undefined;
  const embedded = children.map((child) => trajectory(child, lead, state));
  return { ...trajectory(lead, lead, state), ...(embedded.length > 0 && { subagent_trajectories: embedded }) };
}

function trajectory(told: ToldSession, lead: ToldSession, state: TreeState): Trajectory {
  const { opened } = told;
  const nothing: ToldStep = { by: "system", time: opened?.time ?? 0, text: "The session has no messages." };
  const steps = (told.steps.length > 0 ? told.steps : [nothing]).map(step);
  return {
    schema_version: "ATIF-v1.7",
    session_id: lead.session,
    trajectory_id: told.session,
    agent: {
      name: "sous",
      version: opened?.version ?? "unknown",
      ...(opened && { model_name: opened.model }),
      extra: { agent: opened?.agent ?? "", path: told.path, cwd: opened?.binding.cwd ?? "" },
    },
    steps,
    final_metrics: totals(told, state, steps.length),
  };
}

function step(told: ToldStep, at: number): JsonObject {
  const base = { step_id: at + 1, timestamp: isoTime(told.time), source: told.by };
  return told.by === "agent" ? { ...base, ...reply(told) } : { ...base, message: told.text };
}

/** A step without a model call has neither thoughts nor metrics. */
function reply(told: ToldReply): JsonObject {
  const ended = told.calls.filter((call) => call.result || call.child);
  const failed = told.calls.filter((call) => call.result?.failed).map(({ call }) => call);
  return {
    message: told.text,
    ...(told.byPerson ? { llm_call_count: 0 } : { model_name: told.model, llm_call_count: 1, metrics: metrics(told) }),
    ...(told.reasoning && !told.byPerson && { reasoning_content: told.reasoning }),
    ...(told.calls.length > 0 && { tool_calls: told.calls.map(call) }),
    ...(ended.length > 0 && { observation: { results: ended.map(result) } }),
    ...(failed.length > 0 && { extra: { failed_tool_calls: failed } }),
  };
}

const call = ({ call: id, tool, input }: ToldCall): JsonObject => ({
  tool_call_id: id,
  function_name: tool,
  arguments: input,
});

const result = (told: ToldCall): JsonObject => ({
  source_call_id: told.call,
  content: told.result?.text ?? "",
  ...(told.child && { subagent_trajectory_ref: [{ trajectory_id: told.child }] }),
});

/** The format counts what came from a cache among the prompt's tokens. */
function metrics({ usage, costUsd }: ToldReply): JsonObject {
  return {
    prompt_tokens: usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens,
    completion_tokens: usage.outputTokens,
    cached_tokens: usage.cacheReadTokens,
    ...(costUsd !== null && { cost_usd: costUsd }),
    ...(usage.cacheWriteTokens > 0 && { extra: { cache_write_tokens: usage.cacheWriteTokens } }),
  };
}

function totals(told: ToldSession, state: TreeState, steps: number): JsonObject {
  const session = state.sessions.get(told.session);
  if (!session) return { total_steps: steps };
  const cost = ownCost(session);
  return {
    total_prompt_tokens: cost.inputTokens + cost.cacheReadTokens + cost.cacheWriteTokens,
    total_completion_tokens: cost.outputTokens,
    total_cached_tokens: cost.cacheReadTokens,
    ...(cost.costUsd !== null && { total_cost_usd: cost.costUsd }),
    total_steps: steps,
    extra: { status: session.status, turns: session.turns, tool_calls: session.toolCalls },
  };
}
