import { existsSync, readFileSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { call, calls, callsAll, says } from "../testing/wire-server/script.ts";
import { handsOut, lab, requestsOf, systemOf, toolsOf } from "./host-test-kit.ts";

const agent = (name: string, head: string, body = `You are ${name}.`): string =>
  `---\nname: ${name}\ndescription: ${name} does it.\n${head}---\n${body}\n`;
const REVIEWER = "home/.claude/agents/reviewer.md";

test("D1, A7: a lead runs as the agent it is named: prompt, tools, model, temperature, turns, rights", async () => {
  await using l = await lab(
    {
      "a look": [
        callsAll(call("Bash", { command: "touch made" }), call("Bash", { command: "echo fine" })),
        says("looked"),
        says("too late"),
      ],
    },
    {
      [REVIEWER]: agent(
        "reviewer",
        "tools: Read, Bash(echo:*)\nmodel: claude-haiku-4-5\ntemperature: 0.2\nmaxTurns: 9\ntone: dry\n",
        "You review in {{cwd}}, {{tone}}, as {{model}}.",
      ),
      "project/AGENTS.md": "Use tabs.",
    },
  );
  const { result } = await l.run("a look", { agent: "Reviewer", anyModel: true, mode: "yolo" });
  const [first] = l.server.requests;
  expect(systemOf(first)).toMatch(new RegExp(`^You review in ${l.project}, dry, as anthropic/claude-haiku-4-5\\.\n`));
  expect(systemOf(first)).toContain("Use tabs.");
  expect(systemOf(first)).not.toMatch(/You are Sous|child agent/);
  expect(toolsOf(first)).toEqual(["Read", "Bash"]);
  expect(first?.body).toMatchObject({ temperature: 0.2 });
  expect(existsSync(`${l.project}/made`)).toBe(false);
  expect(JSON.stringify(l.server.requests[1]?.body)).toContain("its definition gives it only Bash(echo:*)");
  expect(result).toMatchObject({ status: "succeeded", agent: "reviewer", output: "looked" });
});

test("D1: the definition's model counts unless the person names one; one that is not there warns", async () => {
  await using l = await lab(
    { hello: [says("hi")] },
    {
      [REVIEWER]: agent("reviewer", "model: haiku\n"),
      "home/.claude/agents/odd.md": agent("odd", "model: Odd Name\n"),
    },
  );
  await l.run("hello", { agent: "reviewer", anyModel: true });
  await l.run("hello", { agent: "reviewer", model: "anthropic/x" });
  const { notices } = await l.run("hello", { agent: "odd", anyModel: true });
  const [own, named, odd] = l.server.requests.map(({ model }) => model);
  expect(own).toMatch(/haiku/);
  expect(named).toBe("x");
  expect(odd).not.toMatch(/haiku|Odd/);
  expect(notices).toContainEqual(expect.stringContaining('there is no model "Odd Name"'));
});

test("B8: what a lead may not do, its children may not either", async () => {
  await using l = await lab(
    {
      "child task": [calls("Bash", { command: "touch made" }), says("tried")],
      lead: [...handsOut(["child task", "general-purpose"], ["child task", "Explore"])],
    },
    { [REVIEWER]: agent("reviewer", "tools: Bash(echo:*), Agent(general-purpose)\n") },
  );
  await l.run("lead", { agent: "reviewer", mode: "yolo" });
  const [child] = requestsOf(l.server, "child task");
  expect(toolsOf(child)).toEqual(["Bash"]);
  expect(existsSync(`${l.project}/made`)).toBe(false);
  expect(JSON.stringify(l.server.requests.at(-1)?.body)).toContain("reviewer may spawn only general-purpose");
  expect(systemOf(l.server.requests[0])).toMatch(/Agents you may spawn:\n- general-purpose: [^\n]*\n\n/);
});

test("B8: nor may a child's child do what the child may not", async () => {
  await using l = await lab(
    {
      "inner task": [calls("Bash", { command: "touch made" }), says("tried")],
      "outer task": [callsAll(call("spawn_subagent", { prompt: "inner task", agent: "general-purpose" })), says("ok")],
      lead: handsOut(["outer task", "narrow"]),
    },
    { "home/.claude/agents/narrow.md": agent("narrow", 'tools: Bash(echo:*), Read\nspawns: "*"\n') },
  );
  await l.run("lead", { mode: "yolo" });
  expect(requestsOf(l.server, "inner task")).toHaveLength(2);
  expect(existsSync(`${l.project}/made`)).toBe(false);
});

test("a session goes on as the agent it was begun with, also when the file is gone; as another it does not", async () => {
  await using l = await lab(
    { "first words": [says("one"), says("two")] },
    {
      [REVIEWER]: agent("reviewer", "tools: Read\ninitialPrompt: Begin well.\n", "You spawn {{subagent_registry}}."),
    },
  );
  const { result } = await l.run("first words", { agent: "reviewer" });
  expect(JSON.stringify(l.server.requests[0]?.body)).toContain("Begin well.\\n\\nfirst words");
  rmSync(l.dir.join(REVIEWER));
  const again = await l.run("go on", { resume: result.session });
  expect(again.result).toMatchObject({ agent: "reviewer", output: "two" });
  expect(toolsOf(l.server.requests[1])).toEqual(["Read"]);
  expect(systemOf(l.server.requests[1])).toMatch(/^You spawn \(none\)\./);
  expect(systemOf(l.server.requests[1])).toBe(systemOf(l.server.requests[0]));
  await expect(l.run("go on", { resume: result.session, agent: "Explore" })).rejects.toThrow(
    /was begun as reviewer and stays so/,
  );
});

test("B9: a lead that runs as an agent has its memory", async () => {
  const memory = (home: string): string => `${home}/.claude/agents/reviewer/memory/MEMORY.md`;
  await using l = await lab(
    ({ home }) => ({ remember: [callsAll(call("Write", { file_path: memory(home), content: "kept\n" })), says("ok")] }),
    { [REVIEWER]: agent("reviewer", "tools: Read\nmemory: auto\n") },
  );
  await l.run("remember", { agent: "reviewer" });
  expect(readFileSync(memory(l.home), "utf8")).toBe("kept\n");
});

test.each([
  ["reviwer", /there is no agent "reviwer"; did you mean reviewer\?/],
  ["eye", /eye only watches others: it cannot lead/],
  ["broken", /broken cannot be launched: its tools cannot be read/],
  ["toolless", /toolless cannot be launched: none of its tools is left/],
  ["boxed", /boxed works in a workspace of its own \(sandbox\), which only children have/],
  ["hooked", /its hooks cannot be used: .*PreToolUsed/],
])("--agent %s is refused in one line, and nothing is begun", async (name, words) => {
  await using l = await lab(
    { hello: [says("hi")] },
    {
      [REVIEWER]: agent("reviewer", ""),
      "home/.claude/agents/eye.md": agent("eye", "capabilities: watcher\n"),
      "home/.claude/agents/broken.md": agent("broken", "tools: {a: 1}\n"),
      "home/.claude/agents/toolless.md": agent("toolless", "tools: Hammer\n"),
      "home/.claude/agents/boxed.md": agent("boxed", "isolation: sandbox\n"),
      "home/.claude/agents/hooked.md": agent("hooked", "hooks: {PreToolUsed: []}\n"),
    },
  );
  const said = await l.run("hello", { agent: name }).then(
    () => "",
    (error: Error) => error.message,
  );
  expect(said).toMatch(words);
  expect(said).not.toContain("\n");
  expect(l.server.requests).toEqual([]);
});

test("B8: of permissionMode only what narrows counts, also in yolo, and for the agent's children too", async () => {
  const tries = [
    callsAll(
      call("Bash", { command: "touch made" }),
      call("Bash", { command: "ls" }),
      call("Write", { file_path: "written", content: "x" }),
    ),
    says("tried"),
  ];
  await using l = await lab(
    {
      "inner task": tries,
      "plan task": [callsAll(call("spawn_subagent", { prompt: "inner task" })), ...tries],
      "quiet task": tries,
      "bold task": tries,
      lead: handsOut(["plan task", "planning"], ["quiet task", "quiet"], ["bold task", "bold"]),
    },
    {
      "home/.claude/agents/planning.md": agent("planning", 'permissionMode: plan\nspawns: "*"\n'),
      "home/.claude/agents/quiet.md": agent("quiet", "permissionMode: dontAsk\n"),
      "home/.claude/agents/bold.md": agent("bold", "permissionMode: bypassPermissions\n"),
    },
  );
  await l.run("lead", { mode: "confirm", approvals: "inbox" });
  const told = (task: string): string => JSON.stringify(requestsOf(l.server, task).at(-1)?.body);
  expect(told("plan task").match(/was refused: [^"]{0,40}workspace is read-only/g)).toHaveLength(2);
  expect(told("quiet task").match(/was refused: [^"]{0,80}its definition asks nobody/g)).toHaveLength(2);
  await l.run("lead", { mode: "yolo", rules: { allow: [], ask: [{ tool: "Write" }], deny: [] } });
  for (const task of ["plan task", "inner task"])
    expect(told(task).match(/was refused: [^"]{0,40}workspace is read-only/g)).toHaveLength(2);
  expect(told("quiet task").match(/was refused: [^"]{0,80}its definition asks nobody/g)).toHaveLength(2);
});
