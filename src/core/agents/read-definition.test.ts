import { beforeAll, describe, expect, test } from "vitest";
import { ruleText } from "../rules.ts";
import { draft } from "./agent-test-kit.ts";
import { definitionOf, type FileReading } from "./draft.ts";
import { quirks } from "./fixtures/quirks.ts";
import { readDefinition } from "./read-definition.ts";
import { type YamlReader, loadYaml } from "./yaml.ts";

let yaml: YamlReader;
beforeAll(async () => {
  yaml = await loadYaml();
});

const read = (text: string, file = "agent.md"): FileReading =>
  readDefinition(text, { kind: "project", priority: 30, file }, yaml);

function agent(head: string, body = "Prompt.") {
  const reading = read(`---\n${head}\n---\n${body}\n`);
  if (!("draft" in reading)) throw new Error(JSON.stringify(reading));
  return definitionOf(reading.draft);
}

const fits = (text: string, wanted: string | RegExp): boolean =>
  typeof wanted === "string" ? text === wanted : wanted.test(text);

describe("B4: every quirk of public files loads with its name, description and tools", () => {
  test.each(quirks)("$quirk", ({ file, text, expected }) => {
    const reading = read(text, file);
    if (!("draft" in reading)) throw new Error(JSON.stringify(reading));
    const definition = definitionOf(reading.draft);
    const { tools, launchable } = definition;
    expect({
      name: definition.name,
      tools: launchable === true ? (tools === "inherit" ? tools : tools.map(ruleText)) : "refused",
      recovered: definition.recovered,
    }).toEqual({ name: expected.name, tools: expected.tools, recovered: expected.recovered ?? false });
    expect(fits(definition.description, expected.description), definition.description).toBe(true);
    expect(definition.prompt).not.toBe("");
  });
});

describe("B4: what would widen an agent refuses to launch and says why", () => {
  test.each([
    ["tools: {a: 1}", "its tools cannot be read"],
    ["tools: true", "its tools cannot be read"],
    ["tools: ''", "its tools cannot be read: it is empty"],
    ["tools: [Read, {a: b}]", "not every item"],
    ["tools: 'Read; Write'", '"Read;" is no name of a tool'],
    ["tools: Bash(git", '"Bash(git" is no name of a tool'],
    ["toolz: Read", 'unknown key "toolz": did you mean tools?'],
    ["disallowedTools: {Bash: maybe}", "its disallowedTools cannot be read"],
    ["hooks: run this", "its hooks cannot be read"],
    ["isolation: somewhere", "its isolation cannot be read"],
    ["workspace: 12", "its workspace cannot be read"],
    ["capabilities: watcher\ntools: Read, Bash", "a watcher must be read-only, and Bash is not"],
  ])("%s", (line, reason) => {
    const { launchable, problems } = agent(`name: a\ndescription: b\n${line}`);
    expect(launchable).toMatchObject({ refused: expect.stringContaining(reason) });
    expect(problems.filter(({ severity }) => severity === "error").map((problem) => problem.line)).not.toContain(0);
  });

  test("`*` beside names is left out, so the names count", () => {
    expect(agent("description: b\ntools: Read, *").tools).toEqual([{ tool: "Read" }]);
  });

  test("a map that only takes away inherits the rest", () => {
    const { tools, disallowedTools } = agent("description: b\ntools: {bash: false}");
    expect({ tools, disallowedTools }).toEqual({ tools: "inherit", disallowedTools: [{ tool: "bash" }] });
  });
});

describe("P.T04: a broken file is skipped with its line", () => {
  test.each([
    ["no closing line", "---\nname: a\ntools: Read\n", 1, "its head has no end"],
    ["no closing line further down", "\n\n---\nname: a\n", 3, "its head has no end"],
    ["a list", "---\n- a\n- b\n---\nbody", 2, "not YAML"],
    ["brackets", "---\n{[\n---\nbody", 2, "not YAML"],
    ["a NUL", "a\u0000b", 1, "not text"],
    ["a head without end in sight", `---\n${"a: b\n".repeat(20_000)}---\nbody`, 2, "too long"],
    ["tools outside of a head", "# A\n\n## Description\nText\n\ntools: Read\n", 6, "not in a head"],
  ])("%s", (_, text, line, message) => {
    const reading = read(text);
    if ("draft" in reading) throw new Error("it became an agent");
    expect(reading).toMatchObject({
      skipped: "broken",
      problems: [{ line, message: expect.stringContaining(message) }],
    });
  });

  test("a file without a head is documentation", () => {
    expect(read("# Agents\n\nPut files here.\n")).toMatchObject({ skipped: "documentation" });
  });
});

test("A7: known keys are typed, unknown ones stay as metadata", () => {
  const definition = agent(
    [
      "name: a",
      "description: b",
      "model: haiku",
      "permissionMode: manual",
      "maxTurns: '12'",
      "skills: one, two",
      "mcpServers: [docs, {tracker: {command: tracker-server}}]",
      "hooks: {PreToolUse: [{matcher: Bash, hooks: [{type: command, command: 'true'}]}]}",
      "memory: project",
      "background: yes",
      "effort: HIGH",
      "isolation: worktree",
      "color: magenta",
      "initialPrompt: Begin.",
      "spawns: [Explore, Plan]",
      "triggers: {slash: [/review, {command: /deep, returnMode: background}], hotkeys: [{combo: ctrl+r, command: review}]}",
      "capabilities: [subtask, orchestrator]",
      "inputSchema: {properties: {q: {type: string}}}",
      'outputSchema: \'{"type": "object"}\'',
      "temperature: 0.2",
      "timeout: 90",
      "exitVia: yield_to_parent, ask_user",
      "workspace: {mode: sandbox, allowWrites: false}",
      "protocol: bash",
      "omitClaudeMd: on",
      "team: payments",
      "level: {depth: 3}",
    ].join("\n"),
  );
  expect(definition).toMatchObject({
    model: "haiku",
    permissionMode: "default",
    maxTurns: 12,
    skills: ["one", "two"],
    mcpServers: [{ name: "docs" }, { name: "tracker", config: { command: "tracker-server" } }],
    hooks: { PreToolUse: [{ matcher: "Bash" }] },
    memory: "project",
    background: true,
    effort: "high",
    isolation: "worktree",
    color: "magenta",
    initialPrompt: "Begin.",
    spawns: ["Explore", "Plan"],
    triggers: {
      slash: [{ command: "review" }, { command: "deep", background: true }],
      hotkeys: [{ combo: "ctrl+r", command: "review" }],
    },
    capabilities: ["subtask", "orchestrator"],
    inputSchema: { type: "object", properties: { q: { type: "string" } } },
    outputSchema: { type: "object" },
    temperature: 0.2,
    timeout: 90,
    exitVia: ["yield_to_parent", "ask_user"],
    workspace: { isolation: "sandbox", allowWrites: false },
    protocol: "bash",
    omitInstructions: true,
    metadata: { team: "payments", level: { depth: 3 } },
    launchable: true,
    problems: [],
    prompt: "Prompt.",
  });
});

test("B4: yes, no, on, off, 1 and 0 are booleans where one is meant", () => {
  const flags = ["yes", "on", "1", "true", "no", "off", "0", "false"].map(
    (word) => agent(`description: b\nbackground: ${word}`).background,
  );
  expect(flags).toEqual([true, true, true, true, false, false, false, false]);
});

test("what cannot be read and widens nothing is left out with a word", () => {
  const definition = agent("description: b\nmaxTurns: many\ntemperature: 9\nmemory: cloud\nmodle: opus");
  expect(definition.launchable).toBe(true);
  expect(definition.maxTurns).toBeUndefined();
  expect(definition.problems.map(({ line, message }) => `${line}: ${message}`)).toEqual([
    '3: maxTurns is left out: "many" is not a whole number above 0',
    '4: temperature is left out: "9" is not a number from 0 to 2',
    '5: memory is left out: "cloud" is not one of auto, user, project, local',
    '6: unknown key "modle": did you mean model?',
  ]);
});

test("B6: foreign display names of models are no reason to fail", () => {
  const { launchable, problems } = agent("description: b\nmodel: Claude Sonnet 4.5");
  expect(launchable).toBe(true);
  expect(problems[0]?.message).toContain("display name");
  expect(agent("description: b\nmodel: [gpt-6, gpt-5]").model).toBe("gpt-6");
  expect(agent("description: b\nmodel: inherit")).not.toHaveProperty("model");
});

test("hooks, MCP servers and the permission mode of a plugin's agent are ignored and said so", () => {
  const reading = readDefinition(
    "---\ndescription: b\nhooks: {Stop: []}\nmcpServers: [x]\npermissionMode: plan\ntools: Read\n---\nbody",
    { kind: "plugin", priority: 10, plugin: "p", file: "a.md" },
    yaml,
  );
  if (!("draft" in reading)) throw new Error("skipped");
  expect(reading.draft.fields).not.toHaveProperty("hooks");
  expect(reading.draft.fields).not.toHaveProperty("mcpServers");
  expect(reading.draft.fields).not.toHaveProperty("permissionMode");
  expect(reading.draft.problems.map(({ line, message }) => `${line}: ${message}`)).toEqual([
    "3: hooks of a plugin's agent is ignored",
    "4: mcpServers of a plugin's agent is ignored",
    "5: permissionMode of a plugin's agent is ignored",
  ]);
});

test("a head of many brackets or aliases neither hangs nor crashes", () => {
  const bomb = [
    "a: &a [x,x,x,x,x,x,x,x,x]",
    ..."bcdefgh"
      .split("")
      .map((name, at) => `${name}: &${name} [*${"abcdefg"[at]},*${"abcdefg"[at]},*${"abcdefg"[at]},*${"abcdefg"[at]}]`),
  ].join("\n");
  for (const head of [
    "[".repeat(20_000),
    `tools: ${"{a".repeat(9_000)}`,
    bomb,
    `description: "${"**/*.{a,b}".repeat(4_000)}"`,
  ]) {
    const began = performance.now();
    read(`---\nname: a\n${head}\n---\nbody`);
    expect(performance.now() - began).toBeLessThan(2_000);
  }
});

test("A9: an unknown variable refuses to launch and is told with its line in the file", () => {
  const body = "\n\nFirst.\n```\n{{ignored}}\n```\nIn {{cwd}}, {{tone}}, {{nope}}.\n";
  const { launchable, problems } = agent("name: a\ndescription: b\ntone: dry", body);
  expect(launchable).toEqual({ refused: expect.stringContaining("unknown variable {{nope}}") });
  expect(problems.map(({ line, severity }) => [line, severity])).toEqual([[12, "error"]]);
  expect(agent("name: a\ndescription: b\ntone: dry", "{{tone}} {{metadata.tone}}").launchable).toBe(true);
  const foreign = definitionOf({
    ...draft("a", { prompt: body }, { file: "/home/x/.claude/agents/a.md" }),
    promptLine: 5,
  });
  expect(foreign.launchable).toBe(true);
  expect(foreign.problems.map(({ line, severity }) => [line, severity])).toEqual([
    [11, "warning"],
    [11, "warning"],
  ]);
  expect(agent("name: a\ndescription: b", "Fill in {{PROJECT_NAME}}, {{ user.name }}.").launchable).toBe(true);
});
