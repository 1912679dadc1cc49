// kill -9 at seeded points of a real run, resumed each time; the ledger outside tells what really ran.
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { call, calls, callsAll, says } from "../src/testing/wire-server/script.ts";
import { seededRandom } from "../src/testing/memory/seeded-random.ts";
import { durableOf, eventsOf, journal, resultIn, world } from "./e2e-kit.ts";

const CALLS = 40;
const POINTS = process.env["SOAK"] === "1" ? 1_000 : 16;
const AT_ONCE = 4;

/** Forty effects, each leaving its name in the ledger, with reads between; the same script serves every resume. */
const script = {
  byTurn: [
    ...Array.from({ length: CALLS / 2 }, (_, n) =>
      n % 3 === 0
        ? callsAll(
            call("Bash", { command: `echo call-${2 * n} >> ledger` }),
            call("Read", { file_path: "notes.txt" }),
            call("Bash", { command: `echo call-${2 * n + 1} >> ledger` }),
          )
        : callsAll(
            call("Bash", { command: `echo call-${2 * n} >> ledger` }),
            call("Bash", { command: `echo call-${2 * n + 1} >> ledger` }),
          ),
    ),
    says("All forty are done."),
    // For a run that ended before it could be killed, and is spoken to again.
    says("All forty are done."),
  ],
};

async function killAndResume(point: number): Promise<void> {
  await using w = await world(script, { record: false });
  let seen = 0;
  const killed = await w.sous(["run", "--mode", "yolo", "--output", "jsonl", "--model", "anthropic/x", "go"], {
    killOn: (line) => !line.includes('"live":true') && ++seen >= point,
    timeoutMs: 60_000,
  });
  const told = durableOf(killed.stdout);
  const acknowledged = Math.max(
    0,
    ...eventsOf(killed.stdout).map((event) => (event.type === "log.synced" ? event.upTo : 0)),
  );
  const afterKill = journal(w.stateDir);
  expect(afterKill.slice(0, told.length), `point ${point}: everything told is in the journal`).toEqual(told);
  expect(afterKill.length).toBeGreaterThanOrEqual(acknowledged);

  const id = told[0]!.session;
  // Killed before the prompt was taken, or after the end: then there is something to say.
  const speaks = afterKill.at(-1)?.type === "run.ended" || !afterKill.some((event) => event.type === "input.admitted");
  const resumed = await w.sous(["run", "--resume", id, "--output", "json", ...(speaks ? ["go"] : [])], {
    timeoutMs: 60_000,
  });
  expect(resultIn(resumed.stdout), `point ${point}: ${resumed.stderr}`).toMatchObject({
    status: "succeeded",
    output: "All forty are done.",
  });

  const all = journal(w.stateDir);
  expect(all.map((event) => event.seq)).toEqual(all.map((_, at) => at + 1));
  expect(all.slice(0, afterKill.length)).toEqual(afterKill);
  const ledger = existsSync(w.dir.join("ledger")) ? readFileSync(w.dir.join("ledger"), "utf8").trim().split("\n") : [];
  const outcomes = new Map<string, string>();
  const names = new Map<string, string>();
  for (const event of all) {
    if (event.type === "tool.started" && event.tool === "Bash")
      names.set(event.call, String(event.input["command"]).split(" ")[1]!);
    if (event.type === "tool.ended" && names.has(event.call))
      outcomes.set(names.get(event.call)!, event.outcome.ok ? "done" : event.outcome.why);
  }
  // One kill cuts off at most one effect: they run one after the other.
  expect([...outcomes.values()].filter((outcome) => outcome === "interrupted").length).toBeLessThanOrEqual(1);
  for (let n = 0; n < CALLS; n++) {
    const name = `call-${n}`;
    const times = ledger.filter((line) => line === name).length;
    const allowed: Record<string, readonly number[]> = { done: [1], interrupted: [0, 1] };
    expect(allowed[outcomes.get(name) ?? "never ended"], `point ${point}: ${name}`).toContain(times);
  }
}

describe("kill -9", () => {
  test(
    `P.D01: at ${POINTS} seeded points of ${CALLS} calls, no acknowledged event is lost and no completed call runs twice`,
    async () => {
      const random = seededRandom(20_261_116);
      const points = Array.from({ length: POINTS }, () => 1 + Math.floor(random.next() * 140));
      await Promise.all(
        Array.from({ length: AT_ONCE }, async (_, lane) => {
          for (let at = lane; at < points.length; at += AT_ONCE) await killAndResume(points[at]!);
        }),
      );
    },
    process.env["SOAK"] === "1" ? 7_200_000 : 240_000,
  );

  test("X9: a session killed twice in a row goes on to its end", async () => {
    await using w = await world({
      byTurn: [
        calls("Bash", { command: "echo one >> ledger" }),
        calls("Bash", { command: "echo two >> ledger" }),
        says("done"),
      ],
    });
    const killAt = (type: string) => (line: string) => line.includes(`"type":"${type}"`);
    const first = await w.sous(["run", "--mode", "yolo", "-o", "jsonl", "-m", "anthropic/x", "go"], {
      killOn: killAt("turn.started"),
    });
    const id = durableOf(first.stdout)[0]!.session;
    await w.sous(["run", "--resume", id, "-o", "jsonl"], { killOn: killAt("tool.ended") });
    const last = await w.sous(["run", "--resume", id, "-o", "json"]);
    expect(resultIn(last.stdout)).toMatchObject({ status: "succeeded", output: "done" });
    expect(readFileSync(w.dir.join("ledger"), "utf8")).toBe("one\ntwo\n");
  });
});
