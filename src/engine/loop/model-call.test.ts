import { describe, expect, test } from "vitest";
import { engine } from "../../../test/engine-harness.ts";
import { ModelFault } from "../../core/model-fault.ts";
import type { ModelPart, ModelRequest } from "../../ports/model.ts";
import { scripted } from "../../testing/scripted-model.ts";
import { calls, cut, ends, fails, says, slow, stalls } from "../../testing/wire-server/script.ts";

const readA = { file_path: "a.txt" };

describe("a model call", () => {
  test("P.L03: a passing fault is tried again, told in the record, and the reply is acted on once", async () => {
    const model = scripted([fails("overloaded"), cut(), calls("Read", readA), says("done")]);
    const e = engine({ model });
    expect(await e.ask("go")).toMatchObject({ status: "succeeded", toolCalls: 1, turns: 2 });
    model.finish();
    expect(e.types().filter((type) => type === "model.failed")).toHaveLength(2);
  });

  test("P.L03: after bounded attempts it fails with the cause, and what was done is kept", async () => {
    const model = scripted([calls("Read", readA, { says: "Reading." }), fails(500), fails(500), fails(500)]);
    const e = engine({ model, attempts: 3 });
    expect(await e.ask("go")).toMatchObject({
      status: "failed",
      output: "Reading.",
      toolCalls: 1,
      error: { code: "server" },
    });
    model.finish();
  });

  test("P.L02: what waiting cannot mend is not tried again, and its remedy is named", async () => {
    for (const what of ["auth", "not-found", "spend", "bad-request"] as const) {
      const model = scripted([fails(what)]);
      const result = await engine({ model }).ask("go");
      expect(result).toMatchObject({ status: "failed", error: { code: what } });
      expect(result.error?.remedy).toBeTruthy();
      model.finish();
    }
  });

  test("P.L04: a reply that was not complete is never acted on", async () => {
    const step = calls("Read", readA, { says: "I will read it now, and this is long enough to be cut." });
    const model = scripted([cut({ afterDeltas: 2 }, step), ends({ afterDeltas: 2 }, step), says("nothing ran")]);
    const e = engine({ model });
    expect(await e.ask("go")).toMatchObject({ status: "succeeded", toolCalls: 0 });
  });

  test("P.L05: silence ends the call within a second of its limit, and it is tried again", async () => {
    const model = scripted([stalls({ afterDeltas: 3 }), says("back")]);
    const e = engine({ model, callLimits: { silenceMs: 300 } });
    const began = performance.now();
    expect(await e.ask("go")).toMatchObject({ status: "succeeded", output: "back" });
    expect(performance.now() - began).toBeLessThan(1_300);
    expect(JSON.stringify(e.events)).toContain("went silent");
  });

  test("P.L05: pings count as life, but the total limit holds", async () => {
    const model = scripted([stalls({ afterDeltas: 1, pingEveryMs: 20 })]);
    const e = engine({ model, attempts: 1, callLimits: { silenceMs: 200, totalMs: 700 } });
    const began = performance.now();
    const result = await e.ask("go");
    expect(result).toMatchObject({ status: "failed", error: { code: "timeout" } });
    expect(result.error?.message).toContain("finished no reply");
    expect(performance.now() - began).toBeGreaterThan(600);
  });

  test("P.L05: a stop during a stall acts within half a second", async () => {
    const e = engine({ model: scripted([stalls({ afterDeltas: 1 })]) });
    await e.send("go");
    const handle = await e.start();
    await expect.poll(() => e.events.some((event) => event.type === "text.delta")).toBe(true);
    const began = performance.now();
    handle.stop({ status: "cancelled", by: "person", because: "stopped by the person" });
    expect((await handle.result).status).toBe("cancelled");
    expect(performance.now() - began).toBeLessThan(500);
  });

  test("X6: what failed attempts cost is counted, once", async () => {
    const usage = { inputTokens: 1_000_000, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
    const inner = scripted([calls("Read", readA, { usage }), says("done", { usage })]);
    let failed = false;
    const model = {
      ...inner,
      async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
        if (!failed) {
          failed = true;
          yield { type: "connected" };
          throw new ModelFault({ code: "network", message: "cut", remedy: "", usage });
        }
        yield* inner.stream(request, signal);
      },
    };
    const result = await engine({ model, price: { input: 2, output: 10 } }).ask("go");
    expect(result.usage.own).toMatchObject({ inputTokens: 3_000_000, costUsd: 6 });
    expect(result.usage.tree).toEqual(result.usage.own);
  });

  test("P.L05: a long call counts as words: it is not cut off at the limit for the first word", async () => {
    const model = scripted(
      [slow({ perDeltaMs: 60 }, calls("Read", { file_path: "a.txt", limit: 2_000_000 })), says("done")],
      { chunkSize: 4 },
    );
    const e = engine({ model, attempts: 1, callLimits: { firstTokenMs: 200, silenceMs: 500 } });
    expect(await e.ask("go")).toMatchObject({ status: "succeeded" });
  });

  test("P.L01: a Retry-After of nothing still waits between attempts", async () => {
    const model = scripted([
      fails(429, { headers: { "retry-after": "0" } }),
      fails(429, { headers: { "retry-after": "0" } }),
      says("done"),
    ]);
    const e = engine({ model, attempts: 4, baseMs: 120 });
    const began = performance.now();
    expect((await e.ask("go")).status).toBe("succeeded");
    expect(performance.now() - began).toBeGreaterThan(250);
  });

  test("an unknown price is unknown, not zero", async () => {
    const result = await engine({ model: scripted([says("hi", { usage: { inputTokens: 5 } })]) }).ask("go");
    expect(result.usage.own.costUsd).toBe(null);
  });
});
