import { describe, expect, test } from "vitest";
import { atifOf } from "./atif.ts";
import { atifProblems } from "./atif-test-kit.ts";
import type { DurableEvent, Recorded } from "./events.ts";
import { type CallId, childPath, type InputId, ROOT, type SessionId } from "./ids.ts";
import { markdownOf } from "./markdown-export.ts";
import { text } from "./messages.ts";
import { toldSessions } from "./told-steps.ts";
import { foldTree, newTree } from "./tree-state.ts";

const lead = "agent-lead" as SessionId;
const child = "agent-child" as SessionId;
const usage = { inputTokens: 5, outputTokens: 3, cacheReadTokens: 20, cacheWriteTokens: 7 };

function history(...events: (DurableEvent & { in?: SessionId })[]): Recorded[] {
  return events.map(({ in: session = lead, ...event }, at) => {
    const path = session === lead ? ROOT : childPath(ROOT, 1);
    return { v: 1, seq: at + 1, time: 1_790_000_000_000 + at, epoch: 1, session, path, ...event } as Recorded;
  });
}

const opened = (agent: string): DurableEvent => ({
  type: "session.opened",
  agent,
  capability: "primary",
  model: "anthropic/x",
  binding: { cwd: "/p", isolation: "shared", allowWrites: true },
  permissions: { mode: "confirm" },
  trigger: "test",
  title: "a title",
  version: "1.2.3",
});
const said = (input: string, words: string, from: "person" | "system" = "person"): DurableEvent[] => [
  { type: "input.admitted", input: input as InputId, from, how: "prompt", content: [text(words)] },
  { type: "input.promoted", input: input as InputId },
];
const replied = (
  content: Extract<DurableEvent, { type: "assistant.replied" }>["content"],
  model = "anthropic/x",
): DurableEvent => ({
  type: "assistant.replied",
  turn: 1,
  model,
  content,
  finish: "stop",
  usage,
  costUsd: 0.5,
});
const call = (id: string, tool = "Bash") => ({
  type: "call" as const,
  call: id as CallId,
  tool,
  input: { command: "ls" },
});
const ended = (id: string, ok = true): DurableEvent => ({
  type: "tool.ended",
  call: id as CallId,
  outcome: ok ? { ok, said: [text("```\nout")] } : { ok, why: "failed", said: [text("no")] },
  durationMs: 1,
});

const events = history(
  opened("lead"),
  ...said("i1", "do it"),
  replied([{ type: "reasoning", text: "hm" }, text("I look."), call("c1"), call("c2", "spawn_subagent"), call("c3")]),
  {
    type: "child.started",
    child,
    childPath: childPath(ROOT, 1),
    agent: "scout",
    call: "c2" as CallId,
    background: false,
  },
  { ...opened("scout"), in: child },
  { ...replied([text("child's word")]), in: child },
  ended("c1"),
  ended("c2", false),
  ended("nobody asked for this"),
  ...said("i2", "be brief", "system"),
  replied([{ type: "bad-call", call: "c4" as CallId, tool: "Bash", raw: "{x", problem: "not JSON" }]),
  replied([call("c5")], "person"),
);
const state = newTree();
for (const event of events) foldTree(state, event);

describe("ATIF", () => {
  const trajectory = atifOf(toldSessions(events), state);

  test("is what Harbor's validator accepts, with steps, calls, results, tokens and children", () => {
    expect(atifProblems(trajectory)).toEqual([]);
    expect(trajectory).toMatchObject({
      session_id: lead,
      agent: { name: "sous", version: "1.2.3", model_name: "anthropic/x" },
      subagent_trajectories: [{ trajectory_id: child, steps: [{ source: "agent", message: "child's word" }] }],
    });
    expect(trajectory?.steps.map((step) => step["source"])).toEqual(["user", "agent", "system", "agent", "agent"]);
    expect(trajectory?.steps[1]).toMatchObject({
      message: "I look.",
      reasoning_content: "hm",
      tool_calls: [{ tool_call_id: "c1" }, { tool_call_id: "c2" }, { tool_call_id: "c3" }],
      observation: {
        results: [
          { source_call_id: "c1", content: "```\nout" },
          { source_call_id: "c2", content: "no", subagent_trajectory_ref: [{ trajectory_id: child }] },
        ],
      },
      metrics: { prompt_tokens: 32, completion_tokens: 3, cached_tokens: 20, cost_usd: 0.5 },
      extra: { failed_tool_calls: ["c2"] },
    });
    expect(trajectory?.steps[4]).toMatchObject({ llm_call_count: 0 });
    expect(trajectory?.final_metrics).toMatchObject({ total_prompt_tokens: 64, total_steps: 5, total_cost_usd: 1 });
  });

  test("of a session without messages, or with an absurd time, is valid too", () => {
    const empty = history(opened("lead"));
    expect(atifProblems(atifOf(toldSessions(empty), newTree()))).toEqual([]);
    const odd = events.map((event) => ({ ...event, time: 1e300 }));
    expect(atifProblems(atifOf(toldSessions(odd), state))).toEqual([]);
  });

  test("the check itself finds what is wrong", () => {
    const broken = [
      { ...trajectory, surprise: 1 },
      { ...trajectory, steps: [] },
      { ...trajectory, schema_version: "ATIF-v2" },
      { ...trajectory, subagent_trajectories: [] },
      { ...trajectory, steps: [{ ...trajectory?.steps[1], step_id: 1, tool_calls: [] }] },
      { ...trajectory, steps: [{ ...trajectory?.steps[0], metrics: {} }] },
    ];
    for (const one of broken) expect(atifProblems(one)).not.toEqual([]);
  });
});

test("Markdown tells the whole story, and what a tool printed cannot end its fence", () => {
  const markdown = markdownOf(toldSessions(events), state);
  for (const part of [
    "# a title",
    "## Person\n\ndo it",
    "> hm",
    "**Bash** (done)",
    "**spawn_subagent** (failed, child agent-child)",
  ])
    expect(markdown).toContain(part);
  expect(markdown).toContain("````\n```\nout\n````");
});
