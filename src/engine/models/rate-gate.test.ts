import { describe, expect, test } from "vitest";
import { fakeClock } from "../../testing/memory/fake-clock.ts";
import { seededRandom } from "../../testing/memory/seeded-random.ts";
import { createRateGate } from "./rate-gate.ts";

const p = { provider: "p", id: "p/m" };
const never = new AbortController().signal;

describe("the rate gate", () => {
  test("X13: everyone waits for the cooldown, and no two leave within 10 ms", async () => {
    const clock = fakeClock();
    const gate = createRateGate(clock, seededRandom(1), 100);
    gate.cool("p", 7_000);
    const left: number[] = [];
    const all = Promise.all(
      Array.from({ length: 20 }, () => gate.enter(p, never).then(() => left.push(clock.ticks()))),
    );
    for (let ms = 0; ms < 9_000; ms += 1) await clock.advance(1);
    await all;
    expect(Math.min(...left)).toBeGreaterThanOrEqual(7_000);
    const sorted = left.toSorted((a, b) => a - b);
    expect(Math.min(...sorted.slice(1).map((at, n) => at - sorted[n]!))).toBeGreaterThanOrEqual(10);
  });

  test("another provider is not held up", async () => {
    const gate = createRateGate(fakeClock(), seededRandom(1), 1);
    gate.cool("p", 60_000);
    await gate.enter({ provider: "q", id: "q/m" }, never);
    expect(gate.cooling("q")).toBe(0);
    expect(gate.cooling("p")).toBe(60_000);
  });

  test("X13: each model has places of its own", async () => {
    const gate = createRateGate(fakeClock(), seededRandom(1), 1);
    await gate.enter(p, never);
    let entered = false;
    void gate.enter(p, never).then(() => (entered = true));
    await gate.enter({ provider: "p", id: "p/other" }, never);
    await Promise.resolve();
    expect(entered).toBe(false);
  });

  test("only so many are inside at once, the others follow in order, and who gives up takes no place", async () => {
    const gate = createRateGate(fakeClock(), seededRandom(1), 1);
    const order: string[] = [];
    const leave = await gate.enter(p, never);
    const quits = new AbortController();
    const first = gate.enter(p, quits.signal).catch(() => order.push("gave up"));
    const second = gate.enter(p, never).then((done) => (order.push("second"), done));
    const third = gate.enter(p, never).then((done) => (order.push("third"), done));
    quits.abort();
    await first;
    leave();
    leave();
    (await second)();
    (await third)();
    expect(order).toEqual(["gave up", "second", "third"]);
    expect(await gate.enter(p, never)).toBeTypeOf("function");
  });
});
