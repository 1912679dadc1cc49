// A child that was stopped and goes on in another process: what it is does not change by that.
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { waitFor } from "../src/testing/memory/wait-for.ts";
import { call, calls, callsAll, says, slow } from "../src/testing/wire-server/script.ts";
import type { Step } from "../src/testing/wire-server/step.ts";
import { background, journal, resultIn } from "./e2e-kit.ts";
import { agent, project, spawn, toolResults } from "./workspace-kit.ts";

type Asked = { model: string; system: unknown; tools: unknown; messages: unknown[] };
const usage = { inputTokens: 900, outputTokens: 100 };
const BUDGET = 12_000;
const NARROW = 'isolation: worktree\ntools: Read, Bash(pwd), Bash(echo:*), spawn_subagent\nspawns: "*"';

test("P.S05: a child that was stopped and resumed in a new process has the depth, tools, mode, model, folder and remaining budget it had", async () => {
  const probes = [
    call("Bash", { command: "pwd" }),
    call("Bash", { command: "touch by-child" }),
    call("Write", { file_path: "made.txt", content: "x" }),
    call("spawn_subagent", { prompt: "too deep" }),
  ];
  const scripts: Record<string, Step[]> = {
    "below work": [callsAll(...probes), slow({ headersAfterMs: 60_000 }, says("never"))],
    "the lead": [
      callsAll(spawn("below work", { agent: "low", background: true, name: "low" })),
      says("waiting", { usage }),
    ],
  };
  await using w = await project(scripts);
  agent(w, "low", `model: own\n${NARROW}`);
  const config = w.dir.join("config.json");
  const settings = { aliases: { own: "anthropic/y" }, limits: { maxDepth: 1 }, permissions: { allow: ["Bash"] } };
  writeFileSync(config, JSON.stringify(settings));
  const flags = ["--config", config, "--trust", "--model", "anthropic/x", "--budget-tokens", `${BUDGET}`, "-o", "json"];
  const run = background(w, "run", ...flags, "the lead");
  const asked = () =>
    w.server.requests
      .map(({ body }) => body as unknown as Asked)
      .filter(({ messages }) => JSON.stringify(messages[0]).includes("below work"));
  expect(await waitFor(() => asked().length === 2, 20_000)).toBe(true);
  expect((await w.sous(["stop", "low"])).stdout).toBe("ROOT::S1 is stopped\n");
  expect((await run.ended).code).toBe(0);
  const more = Array.from({ length: 30 }, (_, n) => calls("Bash", { command: `echo ${n}` }, { usage }));
  scripts["below work"] = [callsAll(...probes), callsAll(...probes), ...more];
  // Wider meanwhile, and with another model: what it is was settled when it began.
  agent(w, "low", 'model: anthropic/z\ntools: "*"');
  const resumed = await w.sous(["resume", "last/low", "--config", config, "--trust", "--json", "go on"]);
  const result = resultIn(resumed.stdout);
  expect(resumed.code, resumed.stderr).toBe(6);
  expect(result.error?.message).toMatch(new RegExp(`of its ${BUDGET} tokens`));
  const replied = journal(w.stateDir).filter(({ type }) => type === "assistant.replied").length;
  expect(replied).toBeLessThanOrEqual(BUDGET / 1_000 + 6);

  const [first, , ...after] = asked();
  expect(after.length).toBeGreaterThan(2);
  for (const request of after) {
    expect(request.model).toBe("y");
    expect(request.tools).toEqual(first?.tools);
    expect(request.system).toEqual(first?.system);
  }
  const said = toolResults(w, "ROOT::S1");
  expect(said[0]).toMatch(/worktrees\/agent-/);
  expect(said[1]).toContain("its definition gives it only Bash(pwd), Bash(echo:*)");
  expect(said[3]).toContain('There is no tool "spawn_subagent"');
  expect(said.slice(4, 8)).toEqual(said.slice(0, 4));
});

test("P.T07, B8: what a resumed child may do is judged by the person's rules and grants as they are then", async () => {
  const tries = (n: number) =>
    callsAll(...["touch a", "mkdir b", "ln -s x c", "cp a.txt d"].map((words) => call("Bash", { command: words + n })));
  const scripts: Record<string, Step[]> = {
    "work it": [tries(1), says("done")],
    "the lead": [callsAll(spawn("work it", { name: "low" })), says("ok")],
  };
  await using w = await project(scripts);
  const config = w.dir.join("config.json");
  const set = (permissions: object) => writeFileSync(config, JSON.stringify({ permissions }));
  set({ allow: ["Bash(touch:*)", "Bash(mkdir:*)", "Bash(ln:*)"] });
  const person = { env: { SOUS_RUN: "" } };
  await w.sous(["permissions", "add", "Bash(cp:*)"], person);
  await w.sous(["run", "--config", config, "--model", "anthropic/x", "the lead"]);
  const said = () => toolResults(w, "ROOT::S1");
  expect(said()).toEqual(Array(4).fill("[exit code 0]"));
  set({ allow: ["Bash(touch:*)", "Bash(mkdir:*)"], deny: ["Bash(mkdir:*)"] });
  await w.sous(["permissions", "remove", "Bash(cp:*)"], person);
  scripts["work it"] = [says("never"), says("never"), tries(2), says("done")];
  const resumed = await w.sous(["resume", "last/low", "--config", config, "go on"]);
  expect(said().slice(4), resumed.stderr).toEqual([
    "[exit code 0]",
    expect.stringContaining("the rule Bash(mkdir:*) denies it"),
    expect.stringContaining("no rule covers ln -s x c2"),
    expect.stringContaining("no rule covers cp a.txt d2"),
  ]);
});
