import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { says } from "../testing/wire-server/script.ts";
import { handsOut, lab, requestsOf, systemOf } from "./host-test-kit.ts";

const agent = (name: string, head: string, body: string): string =>
  `---\nname: ${name}\ndescription: ${name} does it.\n${head}---\n${body}\n`;

test("B10: a child is told its definition, the place, branch and status, and the project's instructions unless it does without", async () => {
  await using l = await lab(
    {
      "a task": [says("ok")],
      "b task": [says("ok")],
      lead: handsOut(["a task", "plain"], ["b task", "bare"]),
    },
    {
      "project/AGENTS.md": "Always use tabs.",
      "project/.claude/agents/plain.md": agent("plain", "", "You are plain."),
      "project/.claude/agents/bare.md": agent("bare", "omitInstructions: true\n", "You are bare."),
    },
  );
  execFileSync("git", ["init", "-q", "--initial-branch=trunk"], { cwd: l.project });
  await l.run("lead");
  const date = new Date().toISOString().slice(0, 10);
  const place = `Folder: ${l.project}\nPlatform: ${process.platform}\nDate: ${date}\nGit: branch trunk; 3 changed: ?? .claude/, ?? .keep, ?? AGENTS.md`;
  const plain = systemOf(requestsOf(l.server, "a task")[0]);
  expect(plain).toMatch(/^You are plain\.\n\nYou are a child agent: /);
  expect(plain).toContain(place);
  expect(plain).toContain("Always use tabs.");
  const bare = systemOf(requestsOf(l.server, "b task")[0]);
  expect(bare).toContain(place);
  expect(bare).not.toContain("Always use tabs.");
  expect(systemOf(l.server.requests[0])).toContain("Git: branch trunk");
});

test("A9, B10: a child that may spawn is told whom, once, where its prompt wants it or after it", async () => {
  await using l = await lab(
    {
      "a task": [says("ok")],
      "b task": [says("ok")],
      "c task": [says("ok")],
      lead: handsOut(["a task", "boss"], ["b task", "chief"], ["c task", "worker"]),
    },
    {
      "home/.claude/agents/boss.md": agent(
        "boss",
        "spawns: worker, Explore\n",
        "Your people:\n{{subagent_registry}}\nUse them.",
      ),
      "home/.claude/agents/chief.md": agent("chief", 'spawns: "*"\n', "You are chief."),
      "home/.claude/agents/worker.md": agent("worker", "", "Work. <{{subagent_registry}}>"),
    },
  );
  await l.run("lead");
  const boss = systemOf(requestsOf(l.server, "a task")[0]);
  expect(boss).toMatch(/^Your people:\n- Explore: Finds files[^\n]*\n- worker: worker does it\.\nUse them\./);
  expect(boss.match(/- worker:/g)).toHaveLength(1);
  const chief = systemOf(requestsOf(l.server, "b task")[0]);
  expect(chief).toMatch(/Agents you may spawn:\n[^]*- general-purpose: [^]*- worker:/);
  expect(systemOf(requestsOf(l.server, "c task")[0])).toMatch(/^Work\. <\(none\)>/);
});

test("A7, A9: variables of a prompt are filled from where the child is, its model and its own head", async () => {
  await using l = await lab(
    { "a task": [says("ok")], lead: handsOut(["a task", "greeter"]) },
    {
      "home/.claude/agents/greeter.md": agent(
        "greeter",
        "tone: formal\naudience: [kids, cats]\n",
        "{{cwd}}|{{platform}}|{{date}}|{{git_branch}}|{{model}}|{{tone}}|{{metadata.audience}}|`{{nope}}`",
      ),
    },
  );
  await l.run("lead");
  const [first] = systemOf(requestsOf(l.server, "a task")[0]).split("\n");
  const date = new Date().toISOString().slice(0, 10);
  expect(first).toBe(`${l.project}|${process.platform}|${date}||anthropic/x|formal|["kids","cats"]|\`{{nope}}\``);
});

test("A9: an agent with an unknown variable refuses to launch and names it", async () => {
  await using l = await lab(
    { "a task": [says("ok")], lead: handsOut(["a task", "odd"]) },
    { "home/.config/sous/agents/odd.md": agent("odd", "", "Hello {{nmae}}.") },
  );
  const { result } = await l.run("lead");
  expect(result.children).toEqual([]);
  const told = JSON.stringify(l.server.requests.at(-1)?.body);
  expect(told).toContain("odd cannot be launched: its prompt has the unknown variable {{nmae}}");
});

test("A9: in a file that was made for another program an unknown variable is text", async () => {
  await using l = await lab(
    { "a task": [says("ok")], lead: handsOut(["a task", "odd"]) },
    { "home/.claude/agents/odd.md": agent("odd", "", "Hello {{nmae}}, in {{cwd}}, \\{{date}}.") },
  );
  const { result } = await l.run("lead");
  expect(result.children).toMatchObject([{ status: "succeeded" }]);
  expect(systemOf(requestsOf(l.server, "a task")[0])).toContain(`Hello {{nmae}}, in ${l.project}, {{date}}.`);
});

test("B10: with branch and status a read-only child's first request stays within 4 kB, general-purpose's within 6 KiB", async () => {
  await using l = await lab({
    "a task": [says("ok")],
    "b task": [says("ok")],
    lead: handsOut(["a task", "Explore"], ["b task", "general-purpose"]),
  });
  execFileSync("git", ["init", "-q", "--initial-branch=a-branch-with-a-rather-long-name"], { cwd: l.project });
  for (let n = 0; n < 20; n++) writeFileSync(`${l.project}/${"a-file-with-a-rather-long-name".repeat(3)}${n}.ts`, "");
  await l.run("lead");
  const [reader, worker] = ["a task", "b task"].map((task) => requestsOf(l.server, task)[0]);
  expect(systemOf(reader)).toContain("; 21 changed: ");
  expect(reader?.size).toBeLessThanOrEqual(4_000);
  expect(worker?.size).toBeLessThanOrEqual(6_144);
});
