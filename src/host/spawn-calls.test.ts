// What a call that spawns can say, and what rules and configuration make of it.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { RunOptions } from "./conversation.ts";
import type { RunResult } from "../core/run-result.ts";
import { parseRule } from "../core/rules.ts";
import { call, callsAll, says } from "../testing/wire-server/script.ts";
import { type Lab, lab, requestsOf, toolsOf } from "./host-test-kit.ts";

const agent = (name: string, head: string, body = `You are ${name}.`): string =>
  `---\nname: ${name}\ndescription: ${name} does it.\n${head}---\n${body}\n`;
const parsed = (rules: readonly string[]) => rules.flatMap((rule) => parseRule(rule) ?? []);
const denying = (...deny: string[]): Partial<RunOptions> => ({
  mode: "yolo",
  rules: { allow: [], ask: [], deny: parsed(deny) },
});
const agentsOf = ({ children }: RunResult): string[] => children.map((child) => (child as { agent: string }).agent);
const lastLine = (text: string): string => text.trim().split("\n").at(-1) ?? "";
const toldLast = (l: Lab, task: string): string => JSON.stringify(requestsOf(l.server, task).at(-1)?.body);

test.each([
  ["Task"],
  ["Agent"],
  ["spawn_subagent"],
  ["Agent(guide, Explore, CodeSearch)"],
  ["Task(explore,code-search,Guide)"],
])("C1: the rule %s denies a child by whichever tool, name or alias it is asked for", async (rule) => {
  await using l = await lab({
    "child task": [says("never")],
    lead: [
      callsAll(
        call("spawn_subagent", { prompt: "child task", agent: "Explore" }),
        call("Task", { prompt: "child task 2", subagent_type: "explore" }),
        call("Agent", { prompt: "child task 3", type: "EXPLORE" }),
        call("spawn_foreach", { items: ["child task 4"], prompt: "do", agent: "Explore" }),
        call("CodeSearch", { query: "child task 5" }),
        call("spawn_subagent", { prompt: "child task 6", agent: "claude-code-guide" }),
      ),
      says("done"),
    ],
  });
  const { result } = await l.run("lead", denying(rule));
  expect(agentsOf(result)).toEqual([]);
  expect(toldLast(l, "lead").match(/the rule [^"]* denies it/g)).toHaveLength(6);
});

test("C1: a rule for one agent leaves the others alone; the name of an agent that is a tool is a rule, too", async () => {
  await using l = await lab({
    "child task": [says("did it")],
    lead: [
      callsAll(
        call("spawn_subagent", { prompt: "child task" }),
        call("spawn_subagent", { prompt: "child task", agent: "CodeSearch" }),
        call("spawn_subagent", { prompt: "child task", agent: "Plan" }),
        call("Planner", { task: "child task" }),
      ),
      says("done"),
    ],
  });
  const { result } = await l.run("lead", denying("Agent(Plan)", "CodeSearch"));
  expect(agentsOf(result)).toEqual(["general-purpose", "Planner"]);
});

test("C1, B8: a rule asks before a child, also in yolo; a definition's own denial holds for its children", async () => {
  await using l = await lab(
    {
      "inner task": [says("never")],
      "outer task": [callsAll(call("Agent", { prompt: "inner task", agent: "Plan" })), says("tried")],
      lead: [
        callsAll(
          call("Task", { prompt: "asked task", subagent_type: "Explore" }),
          call("spawn_subagent", { prompt: "outer task", agent: "boss" }),
        ),
        says("done"),
      ],
    },
    { "home/.claude/agents/boss.md": agent("boss", 'spawns: "*"\ndisallowedTools: Agent(Plan)\n') },
  );
  const { result } = await l.run("lead", {
    mode: "yolo",
    rules: { allow: [], ask: parsed(["Agent(Explore)"]), deny: [] },
  });
  expect(agentsOf(result)).toEqual(["boss"]);
  expect(toldLast(l, "lead")).toContain("the rule Agent(Explore) asks");
  expect(toldLast(l, "outer task")).toContain("the rule Agent(Plan) denies it");
});

test("B6: a name of the configuration means its model for a child, by call or definition, and one's own provider counts", async () => {
  await using l = await lab(
    {
      "task one": [says("ok")],
      "task two": [says("ok")],
      "task three": [says("ok")],
      "task four": [says("ok")],
      lead: [
        callsAll(
          call("spawn_subagent", { prompt: "task one", agent: "quick" }),
          call("spawn_subagent", { prompt: "task two", model: "Haiku" }),
          call("spawn_subagent", { prompt: "task three", agent: "local" }),
          call("spawn_subagent", { prompt: "task four", model: "nonesuch" }),
        ),
        says("done"),
      ],
    },
    {
      "home/.claude/agents/quick.md": agent("quick", "model: fast\n"),
      "home/.claude/agents/local.md": agent("local", "model: mine/llama-4\n"),
    },
  );
  const baseUrl = l.server.env["ANTHROPIC_BASE_URL"];
  l.write({
    "home/.config/sous/config.json": JSON.stringify({
      aliases: { fast: "anthropic/claude-fast-1", haiku: "claude-mine-2" },
      providers: { mine: { api: "anthropic", baseUrl } },
    }),
  });
  const { result, notices } = await l.run("lead", { mode: "yolo" });
  const models = ["one", "two", "three", "four"].map((n) => requestsOf(l.server, `task ${n}`)[0]?.model);
  expect(models).toEqual(["claude-fast-1", "claude-mine-2", "llama-4", "x"]);
  const view = (n: number): string => readFileSync(join(dirname(result.transcript), `ROOT::S${n}.jsonl`), "utf8");
  const ran = [1, 2, 3, 4].map((n) => (JSON.parse(lastLine(view(n))) as { result: RunResult }).result.model);
  expect(ran).toEqual(["anthropic/claude-fast-1", "anthropic/claude-mine-2", "mine/llama-4", "anthropic/x"]);
  expect(notices).toEqual([expect.stringContaining('there is no model "nonesuch"')]);
  // Who asked for it is told, too.
  expect(JSON.stringify(requestsOf(l.server, "lead").at(-1))).toContain('[there is no model \\"nonesuch\\"');
});

test("C1, B7: tools of a call narrow and never widen; names that nobody has are told before anything runs", async () => {
  await using l = await lab({
    "task one": [callsAll(call("Bash", { command: "touch made" }), call("Bash", { command: "echo fine" })), says("ok")],
    "task two": [says("ok")],
    lead: [
      callsAll(
        call("spawn_subagent", { prompt: "task one", tools: ["Bash(echo:*)", "Read", "Hammer"] }),
        call("spawn_subagent", { prompt: "task two", agent: "Explore", tools: ["Bash", "Write", "Read"] }),
        call("spawn_subagent", { prompt: "task three", tools: ["Saw"] }),
      ),
      says("done"),
    ],
  });
  const { result, notices } = await l.run("lead", { mode: "yolo" });
  expect(agentsOf(result)).toEqual(["general-purpose", "Explore"]);
  expect(toolsOf(requestsOf(l.server, "task one")[0])).toEqual(["Read", "Bash"]);
  expect(toolsOf(requestsOf(l.server, "task two")[0])).toEqual(["Read"]);
  expect(existsSync(`${l.project}/made`)).toBe(false);
  expect(toldLast(l, "task one")).toMatch(/only Bash\(echo:\*\).*fine/);
  expect(notices).toEqual(["the call for general-purpose names tools that are not there: Hammer"]);
  expect(toldLast(l, "lead")).toContain("none of its tools is left (all of its parent; not there: Saw)");
});

test("E1, B14: an agent that is a tool of its own is one only for those who may spawn it", async () => {
  await using l = await lab(
    {
      "boss task": [callsAll(call("CodeSearch", { query: "inner query" })), says("ok")],
      "inner query": [says("found")],
      "plain task": [says("ok")],
      lead: [
        callsAll(
          call("spawn_subagent", { prompt: "boss task", agent: "boss" }),
          call("spawn_subagent", { prompt: "plain task" }),
        ),
        says("done"),
      ],
    },
    { "home/.claude/agents/boss.md": agent("boss", "tools: Read, CodeSearch, Planner\nspawns: code-search\n") },
  );
  const { result } = await l.run("lead", { mode: "confirm" });
  expect(toolsOf(requestsOf(l.server, "lead")[0])).toEqual(
    expect.arrayContaining(["CodeReview", "CodeSearch", "Planner"]),
  );
  expect(toolsOf(requestsOf(l.server, "boss task")[0])).toEqual([
    "Read",
    "spawn_subagent",
    "spawn_foreach",
    "CodeSearch",
  ]);
  expect(toolsOf(requestsOf(l.server, "plain task")[0])).not.toEqual(expect.arrayContaining(["CodeSearch"]));
  // The call itself needs nobody's approval.
  expect(toldLast(l, "boss task")).toContain("found");
  expect(result.status).toBe("succeeded");
});

test("C4, B8: a parent that has no Read hands on no file, and one that has it in part only that", async () => {
  const files = { contextFiles: ["src/a.ts", "b.txt"] };
  await using l = await lab(
    {
      "inner blind": [says("ok")],
      "inner part": [says("ok")],
      "blind task": [callsAll(call("spawn_subagent", { prompt: "inner blind", ...files })), says("ok")],
      "part task": [callsAll(call("spawn_subagent", { prompt: "inner part", ...files })), says("ok")],
      lead: [
        callsAll(
          call("spawn_subagent", { prompt: "blind task", agent: "blind" }),
          call("spawn_subagent", { prompt: "part task", agent: "part" }),
        ),
        says("done"),
      ],
    },
    {
      "home/.claude/agents/blind.md": agent("blind", 'tools: Bash(echo:*)\nspawns: "*"\n'),
      "home/.claude/agents/part.md": agent("part", 'tools: Read(src/**)\nspawns: "*"\n'),
      "project/src/a.ts": "alpha",
      "project/b.txt": "CANARY",
    },
  );
  await l.run("lead", { mode: "yolo" });
  expect(toldLast(l, "inner blind").match(/was not read: ROOT::S1 may not read files/g)).toHaveLength(2);
  expect(toldLast(l, "inner part")).toMatch(/alpha.*b\.txt was not read: its definition gives it only Read/);
  expect(JSON.stringify(l.server.requests.map(({ body }) => body))).not.toContain("CANARY");
});

test("C1, A2: rules about agents hold where a command spawns, and for another name of an agent", async () => {
  const echo = (name: string): string => `\`\`\`bash\necho "MINI_SWE_AGENT_SPAWN_CHILD::${name}\nchild task"\n\`\`\``;
  await using l = await lab({
    "child task": [says("never")],
    "in bash": [
      says(echo("Explore")),
      says(echo("general-purpose")),
      says('```bash\necho "MINI_SWE_AGENT_FINAL_OUTPUT\ndone"\n```'),
    ],
    "by call": [callsAll(call("spawn_subagent", { prompt: "child task", agent: "claude-code-guide" })), says("done")],
  });
  const rules = { allow: [], ask: parsed(["Agent(general-purpose, guide)"]), deny: parsed(["Agent(explore)"]) };
  const inBash = await l.run("in bash", { mode: "yolo", protocol: "bash", rules });
  const byCall = await l.run("by call", { mode: "yolo", rules });
  expect([inBash, byCall].map(({ result }) => result.status)).toEqual(["succeeded", "succeeded"]);
  expect([inBash, byCall].flatMap(({ result }) => agentsOf(result))).toEqual([]);
  expect(toldLast(l, "in bash")).toMatch(
    /rule Agent\(explore\) denies it.*rule Agent\(general-purpose, guide\) asks first/,
  );
  expect(toldLast(l, "by call")).toContain("the rule Agent(general-purpose, guide) asks first");
});

test("C1: a rule that calls an agent by another of its names holds for its own name, too, and one that asks lets it be asked for", async () => {
  const spawns = (name: string) => callsAll(call("spawn_subagent", { prompt: "child task", agent: name }));
  await using l = await lab({
    "child task": [says("did it"), says("did it")],
    denied: [spawns("guide"), says("done")],
    asked: [spawns("guide"), spawns("claude-code-guide"), says("done")],
  });
  const { result } = await l.run("denied", denying("Agent(claude-code-guide)"));
  expect(agentsOf(result)).toEqual([]);
  expect(toldLast(l, "denied")).toContain("the rule Agent(claude-code-guide) denies it");
  const rules = { allow: [], ask: parsed(["Agent(claude-code-guide)"]), deny: [] };
  const person = { decide: async () => ({ allow: true }) as const, act: async () => undefined };
  const asked = await l.run("asked", { mode: "yolo", rules, person });
  expect(agentsOf(asked.result)).toEqual(["guide"]);
  expect(toldLast(l, "asked")).toContain("only a call of claude-code-guide by that name can");
});

test("B8, E6: what a child is denied or asks nobody for, so are its children; a lead's temperature is not theirs", async () => {
  const tries = callsAll(
    call("Bash", { command: "touch made" }),
    call("Write", { file_path: "written", content: "x" }),
  );
  await using l = await lab(
    {
      "inner task": [tries, says("tried")],
      "plain task": [says("ok")],
      "quiet task": [callsAll(call("spawn_subagent", { prompt: "inner task" })), says("ok")],
      lead: [
        callsAll(
          call("spawn_subagent", { prompt: "quiet task", agent: "quiet" }),
          call("spawn_subagent", { prompt: "plain task" }),
        ),
        says("done"),
      ],
    },
    {
      "home/.claude/agents/quiet.md": agent(
        "quiet",
        'permissionMode: dontAsk\ndisallowedTools: Bash(touch:*)\nspawns: "*"\n',
      ),
      "home/.claude/agents/warm.md": agent("warm", "temperature: 0.9\nmodel: claude-haiku-4-5\n"),
    },
  );
  const { result } = await l.run("lead", { mode: "confirm", approvals: "inbox", agent: "warm", anyModel: true });
  expect(result.status).toBe("succeeded");
  expect(toldLast(l, "inner task")).toMatch(/the rule Bash\(touch:\*\) denies it.*its definition asks nobody/);
  expect(requestsOf(l.server, "lead")[0]?.body).toMatchObject({ temperature: 0.9 });
  expect(requestsOf(l.server, "plain task")[0]?.model).toBe("claude-haiku-4-5");
  expect(requestsOf(l.server, "plain task")[0]?.body).not.toHaveProperty("temperature");
});

test("X5, B6: under a budget in money a child of a model without a known price is not started", async () => {
  await using l = await lab({
    "child task": [says("never")],
    lead: [callsAll(call("spawn_subagent", { prompt: "child task", model: "claude-nobody-knows" })), says("done")],
  });
  const { result } = await l.run("lead", { model: "anthropic/claude-haiku-4-5", budget: { usd: 1 } });
  expect(agentsOf(result)).toEqual([]);
  expect(toldLast(l, "lead")).toContain("the price of anthropic/claude-nobody-knows is not known");
});
