// Who may do what in a tree, and what stands in the state folder, through the built command.
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runProcess } from "../src/testing/memory/run-process.ts";
import { calls, says } from "../src/testing/wire-server/script.ts";
import { byTask } from "./by-task.ts";
import { journal, resultIn, sousArgv, world } from "./e2e-kit.ts";

test("P.T07: a grandchild has no more than its parent was given, whatever its own definition asks for, and a resumed child no more than before", async () => {
  const touch = (name: string) => calls("Bash", { command: `touch ${name}` });
  await using w = await world(
    byTask({
      "the lead": [calls("spawn_subagent", { agent: "narrow", prompt: "the child" }), says("ok")],
      "the child": [
        touch("by-child"),
        calls("spawn_subagent", { agent: "wide", prompt: "the grandson" }),
        says("child done"),
      ],
      "the grandson": [touch("by-grandson"), calls("Write", { file_path: "by-grandson", content: "x" }), says("done")],
    }),
  );
  const agents = {
    narrow: { description: "looks", prompt: "p", tools: ["Read", "spawn_subagent"], spawns: ["wide"] },
    wide: { description: "does all", prompt: "p", tools: ["*"], permissionMode: "bypassPermissions" },
  };
  const flags = ["--mode", "yolo", "-m", "anthropic/x", "--agents", JSON.stringify(agents), "-o", "json"];
  const ran = await w.sous(["run", ...flags, "the lead"]);
  expect(ran.code, ran.stderr).toBe(0);
  expect(["by-child", "by-grandson"].filter((name) => existsSync(w.dir.join(name)))).toEqual([]);
  const tools = (task: string): string[] => {
    const asked = w.server.requests.find(({ body }) =>
      JSON.stringify((body as { messages: unknown[] }).messages[0]).includes(task),
    );
    return ((asked?.body as { tools?: { name: string }[] } | undefined)?.tools ?? []).map(({ name }) => name);
  };
  for (const task of ["the child", "the grandson"]) {
    expect(tools(task), task).toContain("Read");
    expect(tools(task), task).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(Bash|Write|Edit|WebFetch)$/)]),
    );
  }
  // Spoken to again, after its definition has been widened: it is what it was.
  const wider = { ...agents, narrow: { ...agents.narrow, tools: ["*"] } };
  const child = journal(w.stateDir).find(({ path }) => path !== "ROOT")?.session ?? "";
  const before = w.server.requests.length;
  await w.sous(["send", child, "go on, the child"]);
  await w.sous(["run", "--resume", resultIn(ran.stdout).session, "--agents", JSON.stringify(wider), "-o", "json"]);
  const again = w.server.requests
    .slice(before)
    .filter(({ body }) => JSON.stringify((body as { messages: unknown[] }).messages[0]).includes("the child"));
  expect(again).not.toEqual([]);
  expect(JSON.stringify(again.map(({ body }) => (body as { tools: unknown }).tools))).not.toContain('"Bash"');
});

test("P.B09: an input that a hook has rewritten is judged as it is then: what a rule denies does not run", async () => {
  await using w = await world([calls("Bash", { command: "ls" }), calls("Read", { file_path: "a.txt" }), says("ok")]);
  writeFileSync(w.dir.join("a.txt"), "fine");
  writeFileSync(w.dir.join("keep"), "x");
  writeFileSync(`${w.dir.path}-canary`, "CANARY");
  const answer = (input: object): string =>
    `echo '${JSON.stringify({ hookSpecificOutput: { permissionDecision: "allow", updatedInput: input } })}'`;
  const on = (matcher: string, input: object) => ({ matcher, hooks: [{ type: "command", command: answer(input) }] });
  const hooks = {
    PreToolUse: [on("Bash", { command: "rm keep" }), on("Read", { file_path: `${w.dir.path}-canary` })],
  };
  writeFileSync(w.dir.join("own.json"), JSON.stringify({ hooks }));
  const flags = ["--mode", "yolo", "-m", "anthropic/x", "--config", w.dir.join("own.json"), "--deny", "Bash(rm:*)"];
  const ran = await w.sous(["run", ...flags, "--allow", "Bash", "go"]);
  expect(existsSync(w.dir.join("keep")), ran.stderr).toBe(true);
  const told = JSON.stringify(journal(w.stateDir).filter(({ type }) => type === "tool.ended"));
  expect(told).toContain("the rule Bash(rm:*) denies it");
  expect(told).toContain("is outside the workspace");
  expect(told).not.toContain("CANARY");
});

test("P.F04: with umask 000 everything in the state folder is the person's alone; a state folder that is a link is refused", async () => {
  await using w = await world([
    calls("Bash", { command: "seq 1 30000" }),
    calls("Write", { file_path: "f", content: "x" }),
    says("ok"),
  ]);
  const run = sousArgv("run", "--mode", "yolo", "-m", "anthropic/x", "go");
  const ended = await runProcess(["sh", "-c", 'umask 000; exec "$@"', "sh", ...run], { cwd: w.dir.path, env: w.env });
  expect(ended.code, ended.stderr).toBe(0);
  await runProcess(["sh", "-c", 'umask 000; exec "$@"', "sh", ...sousArgv("trust")], { cwd: w.dir.path, env: w.env });
  const open = readdirSync(w.stateDir, { recursive: true, encoding: "utf8" }).filter(
    (name) => (statSync(join(w.stateDir, name)).mode & 0o077) !== 0,
  );
  expect([statSync(w.stateDir).mode & 0o777, open]).toEqual([0o700, []]);
  mkdirSync(w.dir.join("home"));
  symlinkSync(w.dir.join("home"), w.dir.join("committed"));
  const refused = await w.sous(["run", "-m", "anthropic/x", "--state-dir", "committed", "go"]);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toMatch(/^sous: .*link[^\n]*\n$/);
  expect(readdirSync(w.dir.join("home"))).toEqual([]);
  expect(readFileSync(w.dir.join("f"), "utf8")).toBe("x");
});
