import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { type Setup, engine } from "../../../test/engine-harness.ts";
import type { Model, ModelPart } from "../../ports/model.ts";
import { scripted } from "../../testing/scripted-model.ts";
import { call, calls, callsAll, says } from "../../testing/wire-server/script.ts";
import { read } from "../tools/read.ts";
import { spawnSubagent } from "../tools/spawn-subagent.ts";

const PER_REQUEST = 1_000;
const usage = { inputTokens: PER_REQUEST - 100, outputTokens: 100 };

/** Never ends by itself: reads again and again, each request at the same price. */
const busy = (): Model & { requests: number } => {
  const model = {
    id: "scripted/busy",
    provider: "scripted",
    requests: 0,
    async *stream(request, signal): AsyncGenerator<ModelPart> {
      const offset = ++model.requests;
      await sleep(10, undefined, { signal });
      yield* scripted([calls("Read", { file_path: "a.txt", offset }, { usage })]).stream(request, signal);
    },
  } satisfies Model & { requests: number };
  return model;
};

const lead = (children: number) =>
  scripted([
    callsAll(...Array.from({ length: children }, (_, n) => call("spawn_subagent", { prompt: `n${n}` }))),
    says(""),
  ]);
const run = (child: Model, children: number, setup: Partial<Setup>) =>
  engine({ model: lead(children), tools: [read, spawnSubagent], children: { "general-purpose": child }, ...setup });

describe("X5, P.S03: the budget of a tree", () => {
  test.each([
    { name: "tokens", budget: { tokens: 60 * PER_REQUEST }, price: undefined },
    { name: "money", budget: { usd: 60 }, price: { input: 1_000, output: 1_000 } },
  ])(
    "20 children at once do not overshoot it in $name together: what is under way is reserved",
    async ({ budget, price }) => {
      const child = busy();
      const e = run(child, 20, { budget, ...(price && { price }) });
      const result = await e.ask("go");
      expect(result.status).toBe("paused");
      // One alone may always go on, and what a request takes is an estimate: by one or two, not by twenty.
      expect(child.requests).toBeGreaterThanOrEqual(55);
      expect(child.requests).toBeLessThanOrEqual(63);
      expect(e.events.some((event) => event.type === "agent.waiting" && event.for === "budget")).toBe(true);
      const again = run(child, 20, { lines: e.lines, ...(price && { price }) });
      expect((await (await again.start()).result).status).toBe("paused");
      expect(child.requests).toBeLessThanOrEqual(63);
    },
  );

  test("turns of the whole tree, counted on after a restart", async () => {
    const child = busy();
    const e = run(child, 2, { budget: { turns: 9 } });
    expect(await e.ask("go")).toMatchObject({
      status: "paused",
      error: { message: expect.stringContaining("turns") as string },
    });
    expect(e.writer.state.turns).toBeLessThanOrEqual(10);
    const again = run(child, 2, { lines: e.lines });
    expect((await (await again.start()).result).status).toBe("paused");
    expect(again.writer.state.turns).toBe(e.writer.state.turns);
  });

  test("time, without the time between a crash and the resume", async () => {
    const e = run(busy(), 1, { budget: { ms: 300 } });
    expect(await e.ask("go")).toMatchObject({
      status: "paused",
      error: { message: expect.stringContaining("worked") as string },
    });
    expect(e.writer.state.worked.ms).toBeGreaterThanOrEqual(300);
    const half = e.lines.slice(0, Math.floor(e.lines.length / 2));
    const again = run(busy(), 1, { lines: half });
    const before = again.writer.state.worked.ms;
    await sleep(500);
    await (
      await again.start()
    ).result;
    expect(again.writer.state.worked.ms - before).toBeLessThan(500);
  });
});
