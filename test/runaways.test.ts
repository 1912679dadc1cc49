// Agents that would never stop by themselves, through the built command.
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { call, calls, callsAll, replies, responder, says } from "../src/testing/wire-server/script.ts";
import { durableOf, journal, resultIn, world } from "./e2e-kit.ts";

const yolo = ["--mode", "yolo", "--model", "anthropic/x"];

test("P.S04: a child that makes the same call fifty times is stopped as stalled with the reason, and its parent is told", async () => {
  const script = responder((request) => {
    const first = JSON.stringify((request.body as { messages: unknown[] }).messages[0]);
    if (first.includes("a task")) return request.turn <= 50 ? calls("Bash", { command: "echo same" }) : says("done");
    return request.turn === 1 ? callsAll(call("spawn_subagent", { prompt: "a task" })) : says("I was told.");
  });
  await using w = await world(script);
  const result = resultIn((await w.sous(["run", ...yolo, "-o", "json", "go"])).stdout);
  expect(result).toMatchObject({ status: "succeeded", output: "I was told.", children: [{ status: "stalled" }] });
  expect(JSON.stringify(w.server.requests.at(-1)?.body)).toMatch(
    /stalled.*the same call with the same result 25 times/,
  );
  expect(w.server.count).toBe(2 + 25);
});

test("P.S03: the turns of a tree whose engine was killed are not counted anew: resumed, it pauses at the same number", async () => {
  const script = responder((request) => {
    const first = JSON.stringify((request.body as { messages: unknown[] }).messages[0]);
    if (first.includes("a task")) return calls("Bash", { command: `echo ${request.turn}` });
    const children = [1, 2, 3].map((n) => call("spawn_subagent", { prompt: `a task ${n}`, background: true }));
    return request.turn === 1 ? callsAll(...children) : says("waiting");
  });
  await using w = await world(script);
  const config = w.dir.join("config.json");
  writeFileSync(config, JSON.stringify({ limits: { treeTurns: 20 } }));
  let turns = 0;
  const killed = await w.sous(["run", "--config", config, ...yolo, "-o", "jsonl", "go"], {
    killOn: (line) => line.includes('"turn.started"') && ++turns >= 12,
  });
  const id = durableOf(killed.stdout)[0]!.session;
  const resumed = await w.sous(["run", "--config", config, "--resume", id, "-o", "json"]);
  expect(resumed.code, resumed.stderr).toBe(6);
  expect(resultIn(resumed.stdout)).toMatchObject({
    status: "paused",
    error: { message: expect.stringContaining("of its 20 turns") as string },
  });
  // One request for each that ran, beyond it, and one for each that the kill cut off.
  const begun = journal(w.stateDir).filter(({ type }) => type === "turn.started").length;
  expect(begun).toBeGreaterThanOrEqual(20);
  expect(begun).toBeLessThanOrEqual(20 + 4 + 4);
  const again = await w.sous(["run", "--config", config, "--resume", id, "-o", "json"]);
  expect(again.code).toBe(6);
  expect(journal(w.stateDir).filter(({ type }) => type === "turn.started")).toHaveLength(begun);
});

test("P.S04: a child that says nothing fifty times is ended as empty after the set count, and its parent is told", async () => {
  const script = responder((request) => {
    const first = JSON.stringify((request.body as { messages: unknown[] }).messages[0]);
    if (first.includes("a task")) return request.turn <= 50 ? replies({ says: "" }) : says("done");
    return request.turn === 1 ? callsAll(call("spawn_subagent", { prompt: "a task" })) : says("I was told.");
  });
  await using w = await world(script);
  const result = resultIn((await w.sous(["run", ...yolo, "-o", "json", "go"])).stdout);
  expect(result).toMatchObject({ status: "succeeded", output: "I was told.", children: [{ status: "empty" }] });
  expect(JSON.stringify(w.server.requests.at(-1)?.body)).toMatch(/ROOT::S1[^"]*empty/);
  expect(w.server.count).toBe(2 + 3);
});

const PER_REQUEST = { inputTokens: 900, outputTokens: 100 };

test.each([
  { name: "tokens", flags: ["--budget-tokens", "20000"], told: "of its 20000 tokens" },
  { name: "money", flags: ["--budget-usd", "20"], told: "of its $20 budget" },
])(
  "P.S03: what a killed tree spent in $name is not counted anew: children in the background stop at the same sum, and nobody is spawned any more",
  async ({ flags, told }) => {
    const script = responder((request) => {
      const first = JSON.stringify((request.body as { messages: unknown[] }).messages[0]);
      const usage = PER_REQUEST;
      if (first.includes("a task")) return calls("Bash", { command: `echo ${request.turn}` }, { usage });
      const children = [1, 2, 3].map((n) => call("spawn_subagent", { prompt: `a task ${n}`, background: true }));
      return replies(request.turn === 1 ? { calls: children, usage } : { says: "waiting", usage });
    });
    await using w = await world(script);
    const config = w.dir.join("config.json");
    writeFileSync(
      config,
      JSON.stringify({ models: { "anthropic/x": { price: { input: 1_000, output: 1_000 } } }, limits: { retries: 0 } }),
    );
    let replied = 0;
    const killed = await w.sous(["run", "--config", config, ...flags, ...yolo, "-o", "jsonl", "go"], {
      killOn: (line) => line.includes('"assistant.replied"') && ++replied >= 12,
    });
    const id = durableOf(killed.stdout)[0]!.session;
    const resumed = await w.sous(["run", "--config", config, "--resume", id, "-o", "json"]);
    expect(resumed.code, resumed.stderr).toBe(6);
    expect(resultIn(resumed.stdout)).toMatchObject({
      status: "paused",
      error: { message: expect.stringContaining(told) as string },
    });
    const paid = () => journal(w.stateDir).filter(({ type }) => type === "assistant.replied").length;
    // One request for each that ran, beyond it.
    expect(paid()).toBeGreaterThanOrEqual(20);
    expect(paid()).toBeLessThanOrEqual(20 + 4);
    const before = [paid(), w.server.count, journal(w.stateDir).filter(({ type }) => type === "child.started").length];
    const again = await w.sous(["run", "--config", config, "--resume", id, "-o", "json", "one more child, please"]);
    expect(again.code).toBe(6);
    const after = [paid(), w.server.count, journal(w.stateDir).filter(({ type }) => type === "child.started").length];
    expect(after).toEqual(before);
    expect(before.at(-1)).toBe(3);
  },
);
