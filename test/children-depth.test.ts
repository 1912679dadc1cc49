// The depth of agents across processes, and the queue's limits, through the built command.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { call, callsAll, calls, responder, says } from "../src/testing/wire-server/script.ts";
import { journal, resultIn, world } from "./e2e-kit.ts";

const yolo = ["run", "--mode", "yolo", "--model", "anthropic/x"];

test("B14: the commands of an agent know how deep it stands, and Sous started there beyond the limit refuses in one line", async () => {
  const script = responder((request) => {
    const body = JSON.stringify(request.body);
    if (body.includes("in a child"))
      return request.turn === 1 ? calls("Bash", { command: "echo depth=$SOUS_DEPTH" }) : says("ok");
    return request.turn === 1
      ? callsAll(call("Bash", { command: "echo depth=$SOUS_DEPTH" }), call("spawn_subagent", { prompt: "in a child" }))
      : says("ok");
  });
  await using w = await world(script);
  await w.sous([...yolo, "go"]);
  const said = JSON.stringify(journal(w.stateDir).filter((event) => event.type === "tool.ended"));
  expect(said).toContain("depth=1");
  expect(said).toContain("depth=2");
  const deep = await w.sous([...yolo, "go"], { env: { SOUS_DEPTH: "4" } });
  expect(deep.code).toBe(1);
  expect(deep.stderr.trim().split("\n")).toHaveLength(1);
  expect(deep.stderr).toContain("nested 3 deep");
});

test("B14: a lead that an agent started counts from there: its children are refused at the limit", async () => {
  const script = responder((request) =>
    request.turn === 1 ? callsAll(call("spawn_subagent", { prompt: "down" })) : says("alone"),
  );
  await using w = await world(script);
  const ran = await w.sous([...yolo, "-o", "json", "go"], { env: { SOUS_DEPTH: "3" } });
  expect(resultIn(ran.stdout)).toMatchObject({ status: "succeeded", children: [] });
  expect(JSON.stringify(journal(w.stateDir))).toContain("nested 3 deep");
});

test("X5: a tree pauses at the turns that the configuration sets, and goes on when it sets more", async () => {
  const script = responder((request) => (request.turn < 5 ? calls("Bash", { command: "echo x" }) : says("done")));
  await using w = await world(script);
  const config = join(w.dir.path, "config.json");
  const set = (treeTurns: number) => writeFileSync(config, JSON.stringify({ limits: { treeTurns } }));
  set(3);
  const env = { SOUS_CONFIG: config };
  const paused = await w.sous([...yolo, "-o", "json", "go"], { env });
  expect(paused.code, paused.stderr).toBe(6);
  const { session, error } = resultIn(paused.stdout);
  expect(error?.message).toContain("3 of its 3 turns");
  set(9);
  const resumed = await w.sous(["run", "--resume", session, "-o", "json"], { env });
  expect(resultIn(resumed.stdout), resumed.stderr).toMatchObject({ status: "succeeded", output: "done" });
});
