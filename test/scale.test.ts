// Many children at once in one process, through the built command: nobody is lost or mixed up, and the process stays
// light and awake.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { textOf } from "../src/core/messages.ts";
import { call, calls, callsAll, responder, says } from "../src/testing/wire-server/script.ts";
import type { WireRequest } from "../src/testing/wire-server/wire-request.ts";
import { journal, resultIn, world } from "./e2e-kit.ts";

const soak = process.env["SOAK"] === "1";
const CHILDREN = soak ? 1_000 : 200;
const READS = 5;
const FILES = 20;
const preload = fileURLToPath(new URL("fixtures/measure-loop.cjs", import.meta.url));

type Measured = {
  lag: { p50: number; p99: number; max: number };
  busy: { p50: number; p99: number; max: number; ticks: number };
  peakMb: number;
};

const tokenOf = (n: number): string => `token-${((n + 1) * 7919).toString(36)}-${n}`;
const fileOf = (n: number): string => `notes-${n % FILES}.txt`;

/** A child is answered from its own words alone, and only if it was given what it had asked for before. */
function script(mixedUp: string[]) {
  return responder((request: WireRequest) => {
    const { messages } = request.body as { messages: { content: unknown }[] };
    const first = JSON.stringify(messages[0]);
    const [token, number] = /token-[0-9a-z]+-(\d+)/.exec(first) ?? [];
    if (token === undefined || number === undefined)
      return request.turn === 1
        ? callsAll(
            ...Array.from({ length: CHILDREN }, (_, n) => call("spawn_subagent", { prompt: `Report ${tokenOf(n)}.` })),
          )
        : says("all in");
    const asked = Number(number) + request.turn - 2;
    if (request.turn > 1 && !JSON.stringify(messages.at(-1)).includes(`this is ${fileOf(asked)}`))
      mixedUp.push(`${token} was not given ${fileOf(asked)}`);
    if (request.turn <= READS) return calls("Read", { file_path: fileOf(asked + 1) });
    return says(`the report of ${token}`);
  });
}

test(
  `X7, P.S06: ${CHILDREN} children at once, ${READS} reads each: every report comes to its own call, the event loop stays free, memory small`,
  async () => {
    const mixedUp: string[] = [];
    await using w = await world(script(mixedUp), { record: false });
    for (let n = 0; n < FILES; n++) writeFileSync(w.dir.join(fileOf(n)), `this is ${fileOf(n)}\n`);
    mkdirSync(w.stateDir, { recursive: true });
    const config = w.dir.join("config.json");
    writeFileSync(config, JSON.stringify({ limits: { maxConcurrent: CHILDREN, maxAgents: CHILDREN + 1 } }));
    const file = w.dir.join("measured.json");
    const ran = await w.sous(["run", "--config", config, "--mode", "yolo", "-m", "anthropic/x", "-o", "json", "go"], {
      env: { NODE_OPTIONS: `--require=${preload}`, MEASURED: file },
      timeoutMs: soak ? 600_000 : 120_000,
    });
    const result = resultIn(ran.stdout);
    expect(result, ran.stderr).toMatchObject({ status: "succeeded", output: "all in" });
    expect(result.children).toHaveLength(CHILDREN);
    expect(mixedUp).toEqual([]);
    expect(w.server.count).toBe(2 + CHILDREN * (READS + 1));

    const events = journal(w.stateDir);
    const asked = new Map(
      events.flatMap((event) =>
        event.type === "tool.started" && event.path === "ROOT"
          ? [[event.call, /token-\S+-\d+/.exec(String(event.input["prompt"]))?.[0]]]
          : [],
      ),
    );
    const reports = events.flatMap((event) =>
      event.type === "tool.ended" && event.path === "ROOT" ? [[event.call, textOf(event.outcome.said)] as const] : [],
    );
    expect(reports).toHaveLength(CHILDREN);
    const wrong = reports.filter(([id, report]) => !report.includes(`the report of ${asked.get(id)}`));
    expect(wrong).toEqual([]);
    expect(new Set(asked.values()).size).toBe(CHILDREN);

    const measured = JSON.parse(readFileSync(file, "utf8")) as Measured;
    if (soak) process.stdout.write(`${JSON.stringify(measured)}\n`);
    expect(measured.busy.ticks).toBeGreaterThan(20);
    expect(measured.busy.p99, JSON.stringify(measured)).toBeLessThanOrEqual(100);
    expect(measured.peakMb).toBeLessThanOrEqual(soak ? 700 : 300);
  },
  soak ? 900_000 : 150_000,
);
