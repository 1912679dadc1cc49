import { describe, expect, test } from "vitest";
import { agent, tools } from "./agent-test-kit.ts";
import type { AgentFields } from "./definition.ts";
import { maySpawn } from "./may-spawn.ts";
import { type ToolCall, resolveTools } from "./tool-set.ts";

const parent = [
  { name: "Read" },
  { name: "Write" },
  { name: "Edit" },
  { name: "Grep" },
  { name: "Glob" },
  { name: "LS" },
  { name: "Bash" },
  { name: "KillShell", aliases: ["KillBash"] },
  { name: "mcp__docs__search" },
  { name: "mcp__docs__open" },
  { name: "mcp__docsearch__run" },
  { name: "spawn_subagent" },
  { name: "spawn_foreach" },
  { name: "CodeSearch", spawns: true },
];
const withoutSpawn = parent.map(({ name }) => name).filter((name) => !/spawn|CodeSearch/.test(name));

function resolve(fields: Partial<AgentFields>, call?: ToolCall) {
  return resolveTools(parent, agent("a", fields), call);
}
function names(fields: Partial<AgentFields>, call?: ToolCall): readonly string[] | string {
  const set = resolve(fields, call);
  return set.ok ? set.tools : set.reason;
}

describe("B7: a child's tools", () => {
  test.each<[string, Partial<AgentFields>, readonly string[]]>([
    ["are its parent's without those that spawn", {}, withoutSpawn],
    ["are narrowed to a list, in the parent's order", { tools: tools("Grep", "Read") }, ["Read", "Grep"]],
    ["lack what is disallowed", { tools: tools("Read", "Bash"), disallowedTools: tools("bash") }, ["Read"]],
    ["are none for an empty list", { tools: [] }, []],
    ["are found whatever the case", { tools: tools("read", "GREP") }, ["Read", "Grep"]],
    ["are found by other hosts' names", { tools: tools("MultiEdit", "KillBash") }, ["Edit", "KillShell"]],
    ["of a whole server", { tools: tools("mcp__docs") }, ["mcp__docs__search", "mcp__docs__open"]],
    ["of a server's pattern", { tools: tools("mcp__docs__*") }, ["mcp__docs__search", "mcp__docs__open"]],
    [
      "without a server",
      { disallowedTools: tools("mcp__docs") },
      withoutSpawn.filter((name) => !name.startsWith("mcp__docs__")),
    ],
    ["of a watcher only read", { capabilities: ["watcher"] }, ["Read", "Grep", "Glob", "LS"]],
  ])("%s", (_, fields, expected) => {
    expect(names(fields)).toEqual(expected);
  });

  test("rules in a list narrow the tool; a bare name beside them does not", () => {
    const rules = [{ tool: "Bash", spec: "git log:*" }, { tool: "bash", spec: "git diff:*" }, { tool: "Read" }];
    expect(resolve({ tools: rules })).toMatchObject({
      ok: true,
      tools: ["Read", "Bash"],
      narrowing: [
        {
          tool: "Bash",
          allow: [
            { tool: "Bash", spec: "git log:*" },
            { tool: "Bash", spec: "git diff:*" },
          ],
        },
      ],
    });
    expect(resolve({ tools: [...rules, { tool: "Bash" }] })).toMatchObject({ narrowing: [] });
  });

  test("a rule in disallowedTools takes away only what it covers", () => {
    expect(resolve({ disallowedTools: [{ tool: "Bash", spec: "rm:*" }] })).toMatchObject({
      tools: withoutSpawn,
      deny: [{ tool: "Bash", spec: "rm:*" }],
    });
  });

  test("unknown names are told", () => {
    expect(resolve({ tools: tools("Read", "context-manager") })).toMatchObject({
      tools: ["Read"],
      unknown: ["context-manager"],
      notices: ["a names tools that are not there: context-manager"],
    });
  });

  test("B4: a list of which nothing is left refuses, with the names", () => {
    expect(names({ tools: tools("codebase", "runCommands") })).toBe(
      "a cannot be launched: none of its tools is left (codebase, runCommands; not there: codebase, runCommands)",
    );
    expect(names({ tools: tools("Read"), disallowedTools: tools("Read") })).toContain("none of its tools is left");
    expect(names({ tools: tools("Task") })).toContain("it may not spawn");
    expect(names({ disallowedTools: tools("*"), tools: tools("Read") })).toContain("none of its tools is left");
  });

  test("a definition that refuses to launch has no tools", () => {
    const broken = { ...agent("a"), launchable: { refused: "its tools cannot be read" } };
    expect(resolveTools(parent, broken)).toMatchObject({
      ok: false,
      reason: expect.stringContaining("cannot be read"),
    });
  });

  test("C1: the call can narrow and never widen", () => {
    expect(names({ tools: tools("Read", "Grep") }, { tools: ["Grep", "Bash"] })).toEqual(["Grep"]);
    expect(names({}, { tools: "Read, Grep" })).toEqual(["Read", "Grep"]);
    expect(names({}, { tools: ["Nothing"] })).toContain("none of its tools is left");
    expect(names({}, { tools: 5 })).toContain("cannot be read");
    expect(resolve({ tools: [{ tool: "Bash", spec: "git:*" }] }, { tools: ["Bash(npm:*)"] })).toMatchObject({
      narrowing: [{ allow: [{ spec: "git:*" }] }, { allow: [{ spec: "npm:*" }] }],
    });
  });

  test("tools of the definition's own servers are no unknown names", () => {
    const own = { tools: tools("mcp__mine__ask"), mcpServers: [{ name: "mine" }] };
    expect(resolve(own)).toMatchObject({ ok: true, tools: [], ownServers: tools("mcp__mine__ask"), unknown: [] });
  });
});

describe("B14: spawning", () => {
  test("a child may not unless its definition says so", () => {
    expect(maySpawn(agent("a"), 1)).toMatchObject({ may: false });
    expect(maySpawn(agent("a", { tools: tools("Task") }), 1)).toMatchObject({ may: false });
    expect(maySpawn(agent("a", { spawns: ["Explore"] }), 1)).toEqual({ may: true, agents: ["Explore"] });
    expect(maySpawn(agent("a", { capabilities: ["subtask", "orchestrator"] }), 1)).toEqual({ may: true, agents: "*" });
    expect(maySpawn(agent("a", { tools: [{ tool: "Agent", spec: "x, y" }] }), 1)).toEqual({
      may: true,
      agents: ["x", "y"],
    });
  });

  test("where both name agents, both must allow", () => {
    const both = agent("a", { spawns: ["code-x", "z"], tools: [{ tool: "Task", spec: "Code X, y" }] });
    expect(maySpawn(both, 1)).toEqual({ may: true, agents: ["Code X"] });
  });

  test("down to the depth and not beyond", () => {
    const spawner = agent("a", { spawns: "*" });
    expect([0, 1, 2, 3].map((depth) => maySpawn(spawner, depth).may)).toEqual([true, true, true, false]);
    expect(maySpawn(spawner, 1, 1).may).toBe(false);
    expect(maySpawn(agent("lead"), 0)).toEqual({ may: true, agents: "*" });
  });

  test("who may spawn has the tools for it, also beside a list; who may not has none of them", () => {
    expect(names({ spawns: ["Explore"], tools: tools("Read") })).toEqual(["Read", "spawn_subagent", "spawn_foreach"]);
    expect(names({ spawns: ["Explore"], tools: tools("Read") }, { depth: 3 })).toEqual(["Read"]);
    expect(names({ spawns: "*", disallowedTools: tools("Agent", "spawn_foreach", "CodeSearch") })).toEqual(
      withoutSpawn,
    );
    expect(names({ spawns: "*" })).toEqual(parent.map(({ name }) => name));
  });

  test("a spawn tool in the list of one who may not is left out with a word", () => {
    expect(resolve({ tools: tools("Read", "Task") })).toMatchObject({
      tools: ["Read"],
      notices: [expect.stringContaining("gets no spawn tool")],
    });
  });
});
