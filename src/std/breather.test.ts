import { expect, test } from "vitest";
import { createBreather } from "./breather.ts";

test("work that fits into a turn of the event loop is never asked to wait", () => {
  const breather = createBreather(() => 0);
  for (let n = 0; n < 1_000; n++) expect(breather.pause()).toBeUndefined();
});

test("X7: two hundred runs that take steps of a millisecond leave the event loop to others, and get on in turn", async () => {
  let ms = 0;
  let turn = 0;
  let isDone = false;
  const count = (): void => {
    turn++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const breather = createBreather(() => ms);
  const order: number[] = [];
  const steps = new Map<number, number>();
  await Promise.all(
    Array.from({ length: 200 }, async (_, run) => {
      for (let step = 0; step < 4; step++) {
        ms++;
        order.push(run);
        steps.set(turn, (steps.get(turn) ?? 0) + 1);
        await breather.pause();
      }
    }),
  );
  isDone = true;
  const [first, ...later] = steps.values();
  expect(first).toBeGreaterThanOrEqual(200);
  expect(later.length).toBeGreaterThan(20);
  expect(Math.max(...later)).toBeLessThanOrEqual(25);
  // Nobody has taken its last step before everybody has taken its second.
  const seconds = Array.from({ length: 200 }, (_, run) => order.indexOf(run, order.indexOf(run) + 1));
  expect(Math.max(...seconds)).toBeLessThan(600);
});
