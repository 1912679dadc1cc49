// What Harbor's validator checks of an ATIF v1.7 trajectory, as sentences about what is wrong.
import { isObject } from "./json.ts";

const FIELDS = {
  trajectory:
    "schema_version session_id trajectory_id agent steps notes final_metrics continued_trajectory_ref extra subagent_trajectories",
  agent: "name version model_name tool_definitions extra",
  step: "step_id timestamp source model_name reasoning_effort message reasoning_content tool_calls observation metrics is_copied_context llm_call_count extra",
  call: "tool_call_id function_name arguments extra",
  result: "source_call_id content subagent_trajectory_ref extra",
  metrics:
    "prompt_tokens completion_tokens cached_tokens cost_usd prompt_token_ids completion_token_ids logprobs extra",
  final: "total_prompt_tokens total_completion_tokens total_cached_tokens total_cost_usd total_steps extra",
} as const;
const AGENT_ONLY = ["model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics"];

type Fields = Record<string, unknown>;
const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isObject) : []);

export function atifProblems(value: unknown): string[] {
  const problems: string[] = [];
  const check = (holds: boolean, what: string): void => void (holds || problems.push(what));
  const known = (at: unknown, kind: keyof typeof FIELDS, where: string): void => {
    for (const name of isObject(at) ? Object.keys(at) : [])
      check(FIELDS[kind].split(" ").includes(name), `${where}.${name} is unknown`);
  };
  const counts = (at: unknown, where: string): void => {
    for (const [name, count] of isObject(at) ? Object.entries(at) : [])
      if (name.endsWith("_tokens") || name === "total_steps")
        check(Number.isInteger(count), `${where}.${name} is no whole number`);
  };
  if (!isObject(value)) return ["not an object"];
  known(value, "trajectory", "trajectory");
  check(value["schema_version"] === "ATIF-v1.7", "schema_version");
  const { agent } = value;
  known(agent, "agent", "agent");
  check(isObject(agent) && typeof agent["name"] === "string" && typeof agent["version"] === "string", "agent");
  known(value["final_metrics"], "final", "final_metrics");
  counts(value["final_metrics"], "final_metrics");
  const steps = listOf(value["steps"]);
  check(steps.length > 0, "steps are required");
  const children = listOf(value["subagent_trajectories"]);
  const ids = children.map((child) => child["trajectory_id"]);
  check(ids.every((id) => typeof id === "string") && new Set(ids).size === ids.length, "subagent ids");
  steps.forEach((step, at) => {
    const where = `steps[${at}]`;
    known(step, "step", where);
    check(step["step_id"] === at + 1, `${where}.step_id`);
    check(["user", "agent", "system"].includes(String(step["source"])), `${where}.source`);
    check(typeof step["message"] === "string", `${where}.message`);
    check(!Number.isNaN(Date.parse(String(step["timestamp"]))), `${where}.timestamp`);
    if (step["source"] !== "agent")
      for (const name of AGENT_ONLY) check(!(name in step), `${where}.${name} is for agents only`);
    if (step["llm_call_count"] === 0)
      check(!("metrics" in step) && !("reasoning_content" in step), `${where} has no model call`);
    known(step["metrics"], "metrics", `${where}.metrics`);
    counts(step["metrics"], `${where}.metrics`);
    const calls = listOf(step["tool_calls"]);
    for (const call of calls) {
      known(call, "call", `${where}.tool_calls`);
      check(isObject(call["arguments"]), `${where}.tool_calls.arguments`);
    }
    const { observation } = step;
    for (const result of isObject(observation) ? listOf(observation["results"]) : []) {
      known(result, "result", `${where}.results`);
      check(
        calls.some((call) => call["tool_call_id"] === result["source_call_id"]),
        `${where} has a result without a call`,
      );
      for (const ref of listOf(result["subagent_trajectory_ref"]))
        check(ids.includes(ref["trajectory_id"]), `${where} names an unknown child`);
    }
  });
  return [...problems, ...children.flatMap((child) => atifProblems(child).map((problem) => `child: ${problem}`))];
}
