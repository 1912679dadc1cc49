// Every way a run can end, through the built command: what it is called, and what a shell is told.
import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  call,
  calls,
  callsAll,
  fails,
  refuses,
  replies,
  responder,
  says,
  slow,
  stalls,
} from "../src/testing/wire-server/script.ts";
import type { Script } from "../src/testing/wire-server/script.ts";
import { waitFor } from "../src/testing/memory/wait-for.ts";
import { durableOf, eventsOf, journal, resultIn, world } from "./e2e-kit.ts";

const yolo = ["run", "--mode", "yolo", "--model", "anthropic/x"];
const json = [...yolo, "-o", "json"];

type Case = {
  readonly status: string;
  readonly code: number;
  readonly script: Script;
  readonly flags?: readonly string[];
  readonly more?: object;
};

const cases: Record<string, Case> = {
  "a last message": { status: "succeeded", code: 0, script: [says("done")], more: { output: "done" } },
  "a reply that was cut off": { status: "partial", code: 5, script: [replies({ says: "half a", finish: "length" })] },
  "replies that say nothing": { status: "empty", code: 5, script: responder(() => replies({ says: "" })) },
  "the turns it may take": {
    status: "limit",
    code: 3,
    script: [calls("LS", {}), says("this far")],
    flags: ["--max-turns", "1"],
    more: { output: "this far" },
  },
  "the same call over and over": { status: "stalled", code: 1, script: responder(() => calls("LS", {})) },
  "a key that is refused": { status: "failed", code: 1, script: [fails(401)] },
  "a model that declines": { status: "refused", code: 1, script: [refuses("I will not.")] },
  "a message where only a call ends it": {
    status: "parked",
    code: 4,
    script: responder(() => says("done")),
    flags: ["--exit-via", "Write"],
  },
  "a budget that is spent": {
    status: "paused",
    code: 6,
    script: [replies({ calls: [call("LS")], usage: { inputTokens: 900, outputTokens: 200 } }), says("never")],
    flags: ["--budget-tokens", "1000"],
  },
};

describe("a run ends honestly", () => {
  test.each(Object.entries(cases))("X2: %s", async (_by, { status, code, script, flags = [], more = {} }) => {
    await using w = await world(script);
    const ran = await w.sous([...json, ...flags, "go"]);
    expect({ ...resultIn(ran.stdout), code: ran.code }, ran.stderr).toMatchObject({ status, code, ...more });
    const type = status === "parked" || status === "paused" ? `run.${status}` : "run.ended";
    expect(journal(w.stateDir).at(-1)).toMatchObject({ type, result: { status } });
  });

  test.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
  ] as const)("X2: cancelled by the person with %s", async (signal, code) => {
    await using w = await world([stalls()]);
    const child = w.start([...json, "go"]);
    let stdout = "";
    child.stdout!.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    const closed = new Promise<number | null>((resolve) => child.on("close", resolve));
    await waitFor(() => w.server.requests.length > 0, 15_000);
    child.kill(signal);
    expect(await closed).toBe(code);
    expect(resultIn(stdout)).toMatchObject({ status: "cancelled", by: "person" });
  });

  test("X2: interrupted by the death of its process, and taken up again", async () => {
    await using w = await world(responder(() => slow({ firstTokenAfterMs: 1_500 }, says("went on"))));
    const killed = await w.sous([...yolo, "-o", "jsonl", "go"], { killOn: (line) => line.includes("turn.started") });
    const { session } = durableOf(killed.stdout)[0]!;
    const listed = await w.sous(["sessions", "list", "--json"]);
    expect(JSON.parse(listed.stdout)).toMatchObject([{ id: session, status: "interrupted" }]);
    const resumed = await w.sous(["run", "--resume", session, "-o", "json"]);
    expect(resultIn(resumed.stdout)).toMatchObject({ status: "succeeded", output: "went on" });
  });

  test("X2: what the offline model cannot do is refused, with what it can", async () => {
    await using w = await world([]);
    const ran = await w.sous(["run", "--model", "offline", "-o", "json", "rewrite everything in Haskell please"]);
    expect(ran.code).toBe(1);
    expect(resultIn(ran.stdout)).toMatchObject({
      status: "refused",
      output: expect.stringContaining("I cannot") as string,
    });
    const asked = ["run", "--model", "offline", "-o", "json", "--output-schema", '{"type":"object"}', "list TODOs"];
    const words = await w.sous(asked);
    expect(resultIn(words.stdout)).toMatchObject({ status: "partial", error: { code: "result" } });
    const helped = await w.sous(["run", "--model", "offline", "-o", "json", "help"]);
    expect(resultIn(helped.stdout)).toMatchObject({ status: "succeeded" });
  });
});

describe("liveness", () => {
  test("X4: a tool that shows no sign of life is ended, its agent goes on; one that prints is let be", async () => {
    const command = "for n in 1 2 3 4; do echo $n; sleep 0.6; done";
    await using w = await world([
      calls("Bash", { command: "echo begun; sleep 60", timeout: 120_000 }),
      calls("Bash", { command }),
      says("went on"),
    ]);
    writeFileSync(w.dir.join("config.json"), JSON.stringify({ limits: { tool: { silenceMs: 1_500 } } }));
    const ran = await w.sous([...json, "--config", w.dir.join("config.json"), "go"]);
    expect(resultIn(ran.stdout)).toMatchObject({ status: "succeeded", output: "went on" });
    const ended = journal(w.stateDir).flatMap((event) => (event.type === "tool.ended" ? [event] : []));
    expect(ended.map((event) => event.outcome)).toMatchObject([{ ok: false, why: "failed" }, { ok: true }]);
    expect(JSON.stringify(ended[0]?.outcome)).toContain("Bash showed no sign of life for 1.5 s");
    expect(JSON.stringify(ended[0]?.outcome)).toContain("begun");
    expect(ended[0]?.durationMs).toBeLessThan(10_000);
  });

  test("X4: a run says what it waits for, and since when", async () => {
    const spawn = (prompt: string) => call("spawn_subagent", { prompt });
    await using w = await world(
      responder((request) => {
        const first = JSON.stringify((request.body as { messages: unknown[] }).messages[0]);
        const lead = [
          callsAll(spawn("task one"), spawn("task two")),
          calls("Bash", { command: "true" }),
          replies({ calls: [call("LS")], usage: { inputTokens: 90_000, outputTokens: 1 } }),
        ];
        return first.includes("the lead") ? lead[request.turn - 1] : says("a report");
      }),
    );
    writeFileSync(w.dir.join("config.json"), JSON.stringify({ limits: { maxConcurrent: 1 } }));
    const flags = ["-o", "jsonl", "--config", w.dir.join("config.json"), "--budget-tokens", "90000"];
    const ran = await w.sous([...yolo, ...flags, "the lead"]);
    expect(ran.code).toBe(6);
    const waits = eventsOf(ran.stdout).flatMap((event) => (event.type === "agent.waiting" ? [event] : []));
    const reasons = new Set(waits.map((event) => `${event.path} ${event.for}`));
    for (const reason of ["ROOT model", "ROOT child", "ROOT::S2 slot", "ROOT::S2 model", "ROOT tool", "ROOT budget"])
      expect(reasons, reason).toContain(reason);
    expect(waits.every((event) => event.since > 1_700_000_000_000)).toBe(true);
  });
});
