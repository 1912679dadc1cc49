// Children through the built command: side by side, exactly once across kill -9, from files of the project.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Recorded } from "../src/core/events.ts";
import { call, calls, callsAll, says, slow } from "../src/testing/wire-server/script.ts";
import type { Step } from "../src/testing/wire-server/step.ts";
import { seededRandom } from "../src/testing/memory/seeded-random.ts";
import { byTask } from "./by-task.ts";
import { durableOf, journal, resultIn, world } from "./e2e-kit.ts";

const yolo = ["run", "--mode", "yolo", "--model", "anthropic/x"];
const spawn = (prompt: string, more: Record<string, string | boolean> = {}) =>
  call("spawn_subagent", { prompt, ...more });

describe("children", () => {
  test("C5: five from one reply overlap in time, each result comes to its own call", async () => {
    const tasks = ["task-one", "task-two", "task-three", "task-four", "task-five"];
    const scripts = Object.fromEntries(
      tasks.map((task) => [task, [slow({ firstTokenAfterMs: 300 }, says(`report of ${task}`))]]),
    );
    await using w = await world(
      byTask({ ...scripts, "the lead": [callsAll(...tasks.map((task) => spawn(task))), says("all in")] }),
    );
    const ran = await w.sous([...yolo, "-o", "json", "the lead"]);
    const result = resultIn(ran.stdout);
    expect(result, ran.stderr).toMatchObject({ status: "succeeded", output: "all in" });
    const starts = w.server.requests.slice(1, 6).map((request) => request.at);
    expect(Math.max(...starts) - Math.min(...starts)).toBeLessThan(300);
    const ended = journal(w.stateDir).filter((event) => event.type === "tool.ended" && event.path === "ROOT");
    const reports = JSON.stringify(ended);
    for (const task of tasks) expect(reports).toContain(`report of ${task}`);
    expect(result.children.map((child) => (child as { path: string }).path)).toEqual(
      [1, 2, 3, 4, 5].map((n) => `ROOT::S${n}`),
    );
  });

  test("D5: every child has a session file of its own, and its result names it", async () => {
    await using w = await world(
      byTask({ "look here": [says("seen")], "the lead": [callsAll(spawn("look here")), says("ok")] }),
    );
    const result = resultIn((await w.sous([...yolo, "-o", "json", "the lead"])).stdout);
    const view = join(dirname(result.transcript), "ROOT::S1.jsonl");
    const events = readFileSync(view, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Recorded);
    expect(events[0]).toMatchObject({ type: "session.opened", path: "ROOT::S1", agent: "general-purpose" });
    expect(events.at(-1)).toMatchObject({ type: "run.ended", result: { transcript: view, output: "seen" } });
  });

  test("a child's first request is small: every spawn pays for it", async () => {
    await using w = await world(
      byTask({
        "look here": [says("seen")],
        "do this": [says("done")],
        "the lead": [callsAll(spawn("look here", { agent: "Explore" }), spawn("do this")), says("ok")],
      }),
    );
    await w.sous([...yolo, "the lead"]);
    const size = (task: string) =>
      w.server.requests.find((request) =>
        JSON.stringify((request.body as { messages: unknown[] }).messages[0]).includes(task),
      )!.size;
    expect(size("the lead")).toBeLessThanOrEqual(12_000);
    expect(size("look here")).toBeLessThanOrEqual(4_000);
    expect(size("do this")).toBeLessThanOrEqual(6_144);
  });

  test("B3, B6, B7, E6: an agent of a trusted project is spawned by its name, with its tools only; untrusted it is not there", async () => {
    const script = byTask({
      "scout it": [calls("Bash", { command: "touch made" }), says("scouted")],
      "the lead": [callsAll(spawn("scout it", { agent: "scout" })), says("ok")],
    });
    await using w = await world(script);
    mkdirSync(w.dir.join(".sous/agents"), { recursive: true });
    writeFileSync(
      w.dir.join(".sous/agents/scout.md"),
      "---\nname: scout\ndescription: Scouts\ntools: Read, LS\nmodel: claude-haiku-4-5\ntemperature: 0.3\nmaxTurns: 2\n---\nYou scout.\n",
    );
    const untrusted = await w.sous([...yolo, "-o", "json", "the lead"]);
    expect(resultIn(untrusted.stdout).children).toEqual([]);
    const trusted = resultIn((await w.sous([...yolo, "--trust", "-o", "json", "the lead"])).stdout);
    expect(trusted.children).toMatchObject([{ agent: "scout", status: "succeeded" }]);
    expect(existsSync(w.dir.join("made"))).toBe(false);
    const asked = w.server.requests.find((request) => request.model === "claude-haiku-4-5");
    expect(asked?.body).toMatchObject({ temperature: 0.3 });
    const view = readFileSync(join(dirname(trusted.transcript), "ROOT::S1.jsonl"), "utf8");
    expect(view).toContain('"limits":{"maxTurns":2}');
  });

  test("B14: a child whose definition declares whom it spawns may spawn them and nobody else", async () => {
    const script = byTask({
      "inner work": [says("inner report")],
      "outer work": [
        callsAll(spawn("inner work", { agent: "scout" }), spawn("inner work", { agent: "Explore" })),
        says("outer report"),
      ],
      "the lead": [callsAll(spawn("outer work", { agent: "boss" })), says("ok")],
    });
    await using w = await world(script);
    mkdirSync(w.dir.join(".sous/agents"), { recursive: true });
    const agent = (name: string, more: string) => `---\nname: ${name}\ndescription: d\n${more}---\nYou are ${name}.\n`;
    writeFileSync(w.dir.join(".sous/agents/scout.md"), agent("scout", "tools: Read\n"));
    writeFileSync(w.dir.join(".sous/agents/boss.md"), agent("boss", "spawns: scout\n"));
    await w.sous([...yolo, "--trust", "the lead"]);
    const opened = journal(w.stateDir).flatMap((event) =>
      event.type === "session.opened" ? [`${event.path} ${event.agent}`] : [],
    );
    expect(opened).toEqual(["ROOT lead", "ROOT::S1 boss", "ROOT::S1::S1 scout"]);
    expect(JSON.stringify(journal(w.stateDir))).toContain("boss may spawn only scout");
  });

  test(
    "P.D01, P.D11, X1: kill -9 at seeded points of a tree with three children: each ends once, is delivered once, and no effect happens twice",
    async () => {
      const work = (name: string): Step[] => [
        ...Array.from({ length: 5 }, (_, n) => calls("Bash", { command: `echo ${name}-${n} >> ledger` })),
        says(`report of ${name}`),
      ];
      const script = () =>
        byTask({
          "child-a": work("a"),
          "child-b": work("b"),
          "child-c": work("c"),
          "the lead": [
            callsAll(spawn("child-a"), spawn("child-b", { background: true }), spawn("child-c")),
            says("reports are in"),
            says("all in"),
          ],
        });
      const random = seededRandom(4);
      const points = Array.from(
        { length: process.env["SOAK"] === "1" ? 500 : 24 },
        () => 2 + Math.floor(random.next() * 95),
      );
      const lane = async (from: number): Promise<void> => {
        for (let at = from; at < points.length; at += 4) await killAndResume(points[at]!, script());
      };
      await Promise.all([0, 1, 2, 3].map(lane));
    },
    process.env["SOAK"] === "1" ? 3_600_000 : 200_000,
  );
});

async function killAndResume(point: number, script: Parameters<typeof world>[0]): Promise<void> {
  await using w = await world(script, { record: false });
  let seen = 0;
  const killed = await w.sous([...yolo, "-o", "jsonl", "the lead"], {
    killOn: (line) => !line.includes('"live":true') && ++seen >= point,
    timeoutMs: 60_000,
  });
  const told = durableOf(killed.stdout);
  expect(journal(w.stateDir).slice(0, told.length)).toEqual(told);
  const ended = journal(w.stateDir).findLast((event) => event.path === "ROOT")?.type === "run.ended";
  const resumed = await w.sous(["run", "--resume", told[0]!.session, "-o", "json", ...(ended ? ["again"] : [])], {
    timeoutMs: 60_000,
  });
  expect(resultIn(resumed.stdout), `point ${point}: ${resumed.stderr}`).toMatchObject({ status: "succeeded" });
  const events = journal(w.stateDir);
  expect(events.map((event) => event.seq)).toEqual(events.map((_, at) => at + 1));
  const children = events.flatMap((event) => (event.type === "child.started" ? [event] : []));
  expect(children.map((child) => child.childPath).sort(), `point ${point}`).toEqual([
    "ROOT::S1",
    "ROOT::S2",
    "ROOT::S3",
  ]);
  for (const { child, childPath } of children) {
    const where = `point ${point}: ${childPath}`;
    expect(
      events.filter((event) => event.session === child && event.type === "run.ended"),
      where,
    ).toHaveLength(1);
    expect(
      events.filter((event) => event.type === "child.ended" && event.child === child),
      where,
    ).toHaveLength(1);
  }
  expect(
    events.filter((event) => event.type === "input.admitted" && event.from === "child"),
    `point ${point}`,
  ).toHaveLength(1);
  const ledger = existsSync(w.dir.join("ledger")) ? readFileSync(w.dir.join("ledger"), "utf8").trim().split("\n") : [];
  expect(new Set(ledger).size, `point ${point}: ${ledger.join(" ")}`).toBe(ledger.length);
  const done = events.filter((event) => event.type === "tool.ended" && event.outcome.ok && event.path !== "ROOT");
  expect(ledger.length, `point ${point}`).toBeGreaterThanOrEqual(done.length);
}
