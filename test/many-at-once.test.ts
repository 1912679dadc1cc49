// One message that asks for far more children than may run, through the built command.
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { waitFor } from "../src/testing/memory/wait-for.ts";
import { call, callsAll, responder, says, slow } from "../src/testing/wire-server/script.ts";
import type { WireRequest } from "../src/testing/wire-server/wire-request.ts";
import { background, journal, resultIn, world } from "./e2e-kit.ts";

const CHILDREN = 500;
const AT_ONCE = 16;

test("P.S02: one message asks for 500 children: as many as the limit run at a time, the rest wait in order, and other terminals are answered meanwhile", async () => {
  const began: string[] = [];
  const script = responder((request: WireRequest) => {
    const first = JSON.stringify((request.body as { messages: unknown[] }).messages[0]);
    const number = /task number (\d+)/.exec(first)?.[1];
    if (number === undefined)
      return request.turn === 1
        ? callsAll(
            ...Array.from({ length: CHILDREN }, (_, n) => call("spawn_subagent", { prompt: `task number ${n}` })),
          )
        : says("all in");
    began.push(number);
    return slow({ headersAfterMs: 40 }, says(`done ${number}`));
  });
  await using w = await world(script, { record: false });
  const config = w.dir.join("config.json");
  writeFileSync(config, JSON.stringify({ limits: { maxConcurrent: AT_ONCE, maxAgents: CHILDREN + 1 } }));
  const run = background(w, "run", "--config", config, "--mode", "yolo", "-m", "anthropic/x", "-o", "json", "go");
  expect(await waitFor(() => began.length > AT_ONCE, 20_000)).toBe(true);
  const since = Date.now();
  const seen = await w.sous(["ps", "--json"]);
  expect(Date.now() - since).toBeLessThan(5_000);
  expect(began.length, "the answer came after the run").toBeLessThan(CHILDREN);
  const rows = JSON.parse(seen.stdout) as { path: string; status: string }[];
  const at = (status: string) => rows.filter((row) => row.path !== "ROOT" && row.status === status).length;
  expect(at("running")).toBeLessThanOrEqual(AT_ONCE);
  expect(at("queued")).toBeGreaterThan(0);
  const { stdout, stderr } = await run.ended;
  const result = resultIn(stdout);
  expect(result, stderr).toMatchObject({ status: "succeeded", output: "all in" });
  expect(result.children).toHaveLength(CHILDREN);
  const running = new Set<string>();
  const order: number[] = [];
  let most = 0;
  for (const event of journal(w.stateDir)) {
    if (event.path === "ROOT") continue;
    if (event.type === "run.started") {
      running.add(event.session);
      order.push(Number(event.path.slice("ROOT::S".length)));
    }
    if (event.type === "run.ended") running.delete(event.session);
    most = Math.max(most, running.size);
  }
  expect(most).toBe(AT_ONCE);
  expect(order).toEqual(Array.from({ length: CHILDREN }, (_, n) => n + 1));
}, 60_000);
