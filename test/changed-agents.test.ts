// Agent files that change while a tree runs: new words count at the next spawn, new rights of a project's agent only
// after a person has accepted them.
import { existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { trust } from "../src/host/config/trust.ts";
import { calls, responder, says } from "../src/testing/wire-server/script.ts";
import type { WireRequest } from "../src/testing/wire-server/wire-request.ts";
import { journal, resultIn, type World, world } from "./e2e-kit.ts";

function put(w: World, path: string, head: string, words = "first words"): void {
  mkdirSync(dirname(w.dir.join(path)), { recursive: true });
  writeFileSync(w.dir.join(path), `---\ndescription: d\n${head}\n---\nYou are told: ${words}.\n`);
}

const WORKER = ".sous/agents/worker.md";
const OWN = "config/sous/agents/mine.md";
const PLAN = ".sous/agents/Plan.md";

test("B3, P.T05, P.T06: new words of a project's agent count at the next spawn, new rights after sous trust; a person's own count at once", async () => {
  const steps: readonly [agent: string, before: (w: World) => void][] = [
    ["worker", () => {}],
    ["worker", (w) => put(w, WORKER, "tools: Read, Bash", "second words")],
    ["worker", (w) => put(w, WORKER, "tools: Read", "third words")],
    ["worker", (w) => put(w, WORKER, "tools: Read\nhooks: {PreToolUse: [{hooks: [{command: touch hooked}]}]}")],
    ["late", (w) => put(w, ".sous/agents/late.md", "tools: Bash")],
    ["Plan", (w) => rmSync(w.dir.join(PLAN))],
    ["mine", (w) => put(w, OWN, "tools: Read, Bash", "own words")],
    [
      "worker",
      (w) => {
        put(w, WORKER, "tools: Read, Bash", "last words");
        trust(w.stateDir, realpathSync(w.dir.path));
      },
    ],
  ];
  const script = responder((request: WireRequest) => {
    if (!JSON.stringify(request.body).includes("the lead")) return says("report");
    const step = steps[request.turn - 1];
    step?.[1](w);
    return step ? calls("spawn_subagent", { prompt: `task ${request.turn}`, agent: step[0] }) : says("ok");
  });
  await using w = await world(script);
  put(w, WORKER, "tools: Read");
  put(w, PLAN, "tools: Read");
  put(w, OWN, "tools: Read");
  trust(w.stateDir, realpathSync(w.dir.path));
  const env = { XDG_CONFIG_HOME: w.dir.join("config") };
  const ran = await w.sous(["run", "--mode", "yolo", "-m", "anthropic/x", "-o", "json", "the lead"], { env });
  expect(resultIn(ran.stdout), ran.stderr).toMatchObject({ status: "succeeded", output: "ok" });

  const events = journal(w.stateDir);
  const children = events.flatMap((one) => (one.type === "session.opened" && one.child ? [one.child] : []));
  const made = children.map(({ task, tools, system, hooks }) => {
    const words = /told: (\w+)/.exec(system)?.[1];
    return `${task}: ${words} ${[...tools].sort().join(",")}${hooks ? " hooked" : ""}`;
  });
  expect(made).toEqual([
    "task 1: first Read",
    "task 2: first Read",
    "task 3: third Read",
    "task 4: third Read",
    "task 6: first Read",
    "task 7: own Bash,Read",
    "task 8: last Bash,Read",
  ]);
  // Each is told in one line, to who spawned it and to the person.
  const told = events.flatMap((one) =>
    one.type === "tool.ended" && one.path === "ROOT" ? [JSON.stringify(one.outcome.said)] : [],
  );
  const held = [
    [1, "[.sous/agents/worker.md has changed what worker may do (tools) while this tree runs: "],
    [3, "[.sous/agents/worker.md has changed what worker may do (hooks) while this tree runs: "],
    [4, ".sous/agents/late.md has come as late while this tree runs: "],
    [5, "[.sous/agents/Plan.md is gone, which would leave another Plan while this tree runs: "],
  ] as const;
  for (const [n, words] of held) {
    expect(told[n]).toContain(words);
    expect(ran.stderr).toContain(words.replace("[", ""));
  }
  expect(told[4]).toContain("No child was started");
  for (const n of [0, 2, 6, 7]) expect(told[n]).not.toContain("while this tree runs");
});

test("B3, P.T06: a file given by --agent-type gets no new rights while the tree runs, wherever it stands", async () => {
  const script = responder((request: WireRequest) => {
    if (!JSON.stringify(request.body).includes("the lead")) return says("report");
    if (request.turn > 2) return says("ok");
    if (request.turn === 2)
      put(w, "given.md", "tools: Read, Bash\nhooks: {SubagentStart: [{hooks: [{command: touch hooked}]}]}");
    return calls("spawn_subagent", { prompt: `task ${request.turn}`, agent: "given" });
  });
  await using w = await world(script);
  put(w, "given.md", "tools: Read");
  const flags = [
    "--mode",
    "yolo",
    "--deny",
    "Bash",
    "--agent-type",
    "given=given.md",
    "-m",
    "anthropic/x",
    "-o",
    "json",
  ];
  const ran = await w.sous(["run", ...flags, "the lead"]);
  expect(resultIn(ran.stdout), ran.stderr).toMatchObject({ status: "succeeded", output: "ok" });
  const children = journal(w.stateDir).flatMap((one) =>
    one.type === "session.opened" && one.child ? [one.child] : [],
  );
  expect(children.map(({ tools, hooks }) => [tools, hooks])).toEqual([
    [["Read"], undefined],
    [["Read"], undefined],
  ]);
  expect(existsSync(w.dir.join("hooked"))).toBe(false);
  expect(ran.stderr).toContain(
    "given.md has changed what given may do (hooks, tools) while this tree runs: not used in this run",
  );
});
