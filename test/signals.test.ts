// What happens to a run and everything it started when it is told to stop, or dies.
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { calls, callsAll, call, says, stalls } from "../src/testing/wire-server/script.ts";
import { waitFor } from "../src/testing/memory/wait-for.ts";
import { journal, lines, processesWith, resultIn, world, type World } from "./e2e-kit.ts";

/** Sleeps that try every way to get away; the odd number of seconds is how they are found again. */
const escape = (seconds: number) =>
  `sleep ${seconds} & setsid sleep ${seconds} & nohup sleep ${seconds} >/dev/null 2>&1 & (setsid sh -c 'sleep ${seconds} & sleep ${seconds}' >/dev/null 2>&1 &) ; sleep ${seconds}`;
const sleeping = (seconds: number): number[] => processesWith(`sleep\0${seconds}`);

async function begun(
  w: World,
  seconds: number,
  words: readonly string[] = ["run", "--mode", "yolo", "-m", "anthropic/x", "-o", "json", "go"],
) {
  const child = w.start(words);
  let stdout = "";
  let stderr = "";
  child.stdout!.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr!.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const closed = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.on("close", (code) => resolve({ code, stdout, stderr })),
  );
  await waitFor(() => sleeping(seconds).length >= 5, 15_000);
  return { child, closed };
}

describe("signals", () => {
  test("Ctrl-C once hands in: what ran is ended, and the agent says what it has", async () => {
    await using w = await world([calls("Bash", { command: escape(9_103) }), says("I had only begun.")]);
    const { child, closed } = await begun(w, 9_103);
    child.kill("SIGINT");
    await waitFor(() => sleeping(9_103).length === 0, 2_000);
    const ended = await closed;
    expect(ended.code).toBe(130);
    expect(resultIn(ended.stdout)).toMatchObject({ status: "cancelled", by: "person", output: "I had only begun." });
    expect(ended.stderr).toContain("Ctrl-C again stops at once");
    w.server.finish();
  });

  test("Ctrl-C twice stops at once, also while the model is silent", async () => {
    await using w = await world([calls("Bash", { command: escape(9_104) }), stalls({ afterDeltas: 1 })]);
    const { child, closed } = await begun(w, 9_104);
    child.kill("SIGINT");
    await waitFor(() => w.server.count === 2, 5_000);
    // Two signals at almost the same time are one press, sent by the terminal and passed on by a parent.
    await sleep(120);
    const at = performance.now();
    child.kill("SIGINT");
    const ended = await closed;
    expect(performance.now() - at).toBeLessThan(1_500);
    expect(ended.code).toBe(130);
    expect(resultIn(ended.stdout)).toMatchObject({ status: "cancelled", by: "person" });
  });

  test("X8, P.P02: a SIGKILLed engine leaves no process after 5 s, and its session goes on", async () => {
    await using w = await world({ byTurn: [calls("Bash", { command: escape(9_105) }), says("went on")] });
    const { child, closed } = await begun(w, 9_105);
    child.kill("SIGKILL");
    await closed;
    await waitFor(() => sleeping(9_105).length === 0, 5_000);
    const id = journal(w.stateDir)[0]!.session;
    const resumed = await w.sous(["run", "--resume", id, "-o", "json"]);
    expect(resultIn(resumed.stdout)).toMatchObject({ status: "succeeded", output: "went on" });
    expect(resumed.stderr).toMatch(/^sous: Bash .*: Interrupted, outcome unknown/m);
    expect(JSON.stringify(w.server.requests.at(-1)?.body)).toContain("outcome unknown");
  });

  test("P.P03: a command that ends leaves nothing it started", async () => {
    await using w = await world([
      calls("Bash", { command: `setsid sleep 9106 & nohup sleep 9106 >/dev/null 2>&1 & echo started` }),
      says("ok"),
    ]);
    expect((await w.sous(["run", "--mode", "yolo", "-m", "anthropic/x", "go"])).code).toBe(0);
    expect(sleeping(9_106)).toEqual([]);
  });
});

describe("commands", () => {
  test("P.X01: a command sees no provider key: not in its environment, not in any process it can look at", async () => {
    const look = "env; cat /proc/self/environ | tr '\\0' '\\n'; cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n'";
    await using w = await world([calls("Bash", { command: look }), says("ok")]);
    const key = w.server.env["ANTHROPIC_API_KEY"]!;
    await w.sous(["run", "--mode", "yolo", "-m", "anthropic/x", "go"]);
    const said = JSON.stringify(journal(w.stateDir).find((event) => event.type === "tool.ended"));
    expect(said).toContain("SOUS_RUN=");
    expect(said).not.toContain("ANTHROPIC_API_KEY");
    expect(said).not.toContain(`=${key}`);
  });

  test("P.U02: a flood is ended at its limit, head and tail are kept, the rest is in a file", async () => {
    await using w = await world([
      callsAll(call("Bash", { command: "yes flood", timeout: 1_500 }), call("Bash", { command: "seq 1 200000" })),
      says("ok"),
    ]);
    await w.sous(["run", "--mode", "yolo", "-m", "anthropic/x", "go"], { timeoutMs: 30_000 });
    const [flood, numbers] = journal(w.stateDir).filter((event) => event.type === "tool.ended");
    const told = JSON.stringify(numbers);
    expect(JSON.stringify(flood)).toContain("ended after its time limit of 1.5 s");
    expect(told).toMatch(/1\\n2\\n3/);
    expect(told).toContain("200000\\n");
    expect(told.length).toBeLessThan(50_000);
    const path = (numbers as { outcome: { facts?: { artifact?: { path: string } } } }).outcome.facts?.artifact?.path;
    expect(lines(readFileSync(path!, "utf8"))).toHaveLength(200_000);
  });

  test("P.P07: a call returns within its time limit + 2 s whatever holds its pipes", async () => {
    const hold = "trap '' TERM INT HUP; (trap '' TERM; setsid sleep 9107 &) ; while :; do sleep 0.05; done";
    await using w = await world([calls("Bash", { command: hold, timeout: 500 }), says("ok")]);
    const ran = await w.sous(["run", "--mode", "yolo", "-m", "anthropic/x", "go"]);
    expect(ran.code).toBe(0);
    const ended = journal(w.stateDir).find((event) => event.type === "tool.ended");
    expect(ended?.type === "tool.ended" && ended.durationMs).toBeLessThan(2_500);
    expect(sleeping(9_107)).toEqual([]);
  });
});
