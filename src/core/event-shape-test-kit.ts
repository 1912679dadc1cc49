// One sound event of every durable type: what tests damage.
import type { DurableEvent } from "./events.ts";
import { ROOT, childPath, inputId, runId, sessionId } from "./ids.ts";
import type { CallId, ItemId } from "./ids.ts";
import type { RunResult } from "./run-result.ts";
import { noCost, noUsage } from "./usage.ts";

const session = sessionId("00000000-0000-4000-8000-000000000001");
const child = sessionId("00000000-0000-4000-8000-000000000002");
const call = "call-1" as CallId;
const run = runId("1");
const input = inputId("1");
const rule = { tool: "Bash", spec: "touch:*" };

export const result: RunResult = {
  status: "paused",
  output: "so far",
  error: { code: "budget", message: "spent", remedy: "raise it" },
  session,
  path: ROOT,
  agent: "lead",
  model: "anthropic/x",
  turns: 1,
  toolCalls: 1,
  durationMs: 5,
  usage: { own: noCost, tree: noCost },
  receipt: { toolCalls: {}, commands: [], files: [], reads: [], searches: [], fetches: [], models: [], flags: [] },
  transcript: "/state/t.jsonl",
  children: [{ session: child, path: "ROOT::S1" }],
};

/** In an order in which they can follow each other. */
export const everyEvent: { readonly [Type in DurableEvent["type"]]: Extract<DurableEvent, { type: Type }> } = {
  "session.opened": {
    type: "session.opened",
    agent: "lead",
    capability: "primary",
    model: "anthropic/x",
    binding: { cwd: "/project", isolation: "shared", allowWrites: true },
    permissions: { mode: "confirm", rules: { allow: [rule], ask: [], deny: [rule] }, addDirs: ["/more"] },
    trigger: "sous run",
    title: "t",
    version: "1",
  },
  "budget.changed": { type: "budget.changed", budget: { usd: 1, tokens: 1_000 } },
  "settings.changed": { type: "settings.changed", model: "openai/y", permissions: { effort: "low" } },
  "mode.changed": { type: "mode.changed", mode: "yolo" },
  "input.admitted": {
    type: "input.admitted",
    input,
    from: "person",
    how: "prompt",
    content: [
      { type: "text", text: "go" },
      { type: "image", mediaType: "image/png", data: "AA==" },
    ],
  },
  "summary.asked": { type: "summary.asked", ending: { status: "succeeded", output: "long" } },
  "run.started": { type: "run.started", run, limits: { maxTurns: 5 }, resumed: false },
  "input.promoted": { type: "input.promoted", input },
  "input.dropped": { type: "input.dropped", input: inputId("2"), because: "a hook" },
  "turn.started": { type: "turn.started", turn: 1, model: "anthropic/x" },
  "model.failed": {
    type: "model.failed",
    turn: 1,
    attempt: 1,
    fault: { code: "server", message: "500", remedy: "wait", usage: noUsage },
    retryInMs: 5,
    costUsd: 0,
  },
  "assistant.replied": {
    type: "assistant.replied",
    turn: 1,
    model: "anthropic/x",
    content: [
      { type: "reasoning", text: "hm", by: "anthropic", opaque: { signature: "x" } },
      { type: "text", text: "I look." },
      { type: "call", call, tool: "Bash", input: { command: "ls" } },
      { type: "bad-call", call: "call-2" as CallId, tool: "Bash", raw: "{", problem: "not JSON" },
    ],
    finish: "calls",
    usage: noUsage,
    costUsd: 0.5,
  },
  "item.added": {
    type: "item.added",
    item: "item-1" as ItemId,
    kind: "approval",
    call,
    approval: {
      tool: "Bash",
      input: { command: "ls" },
      reach: [{ may: "run", command: "ls" }],
      because: "the mode is confirm",
      allowWith: "Bash(ls)",
      always: { rules: ["Bash(ls)"], project: "/p" },
    },
  },
  "item.answered": {
    type: "item.answered",
    item: "item-1" as ItemId,
    answer: { allow: true, granted: { rules: ["Bash(touch a)"], project: "/p" } },
    by: "a test",
  },
  "tool.started": { type: "tool.started", turn: 1, call, tool: "Bash", input: { command: "ls" }, repeatable: false },
  "child.started": {
    type: "child.started",
    child,
    childPath: childPath(ROOT, 1),
    agent: "general-purpose",
    call,
    background: false,
  },
  "hook.fired": {
    type: "hook.fired",
    event: "SubagentStart",
    child,
    childPath: childPath(ROOT, 1),
    agent: "general-purpose",
  },
  "child.backgrounded": { type: "child.backgrounded", child, by: "person" },
  "child.resumed": {
    type: "child.resumed",
    child,
    by: "person",
    after: run,
    input,
    content: [{ type: "text", text: "more" }],
  },
  "child.ended": { type: "child.ended", child, call, status: "succeeded", summary: "done" },
  "tool.ended": {
    type: "tool.ended",
    call,
    outcome: {
      ok: false,
      why: "failed",
      said: [{ type: "text", text: "a.txt" }],
      facts: {
        command: { text: "ls", exitCode: 1 },
        files: [{ path: "/project/a", change: "created" }],
        read: { path: "/project/b" },
        search: { tool: "Grep", pattern: "x" },
        fetched: { url: "http://a", status: 200 },
      },
    },
    durationMs: 3,
  },
  "context.compacted": {
    type: "context.compacted",
    summary: "so far",
    keep: 1,
    tokensBefore: 9,
    usage: noUsage,
    costUsd: null,
  },
  "workspace.bound": {
    type: "workspace.bound",
    root: "/state/copy",
    store: "/state/copy.git",
    base: "0",
    branch: "sous/a",
    source: "/project",
  },
  "workspace.released": { type: "workspace.released", how: "clean", by: "person" },
  "note.added": { type: "note.added", kind: "test", text: "n" },
  "run.paused": { type: "run.paused", run, why: "spent", result },
  "run.interrupted": { type: "run.interrupted", run, by: "person" },
  "run.resumed": { type: "run.resumed", run },
  "run.parked": { type: "run.parked", run, why: "asks", result: { ...result, status: "parked" } },
  "run.ended": { type: "run.ended", run, result: { ...result, status: "succeeded" } },
};
