import { expect, test } from "vitest";
import { fakeClock } from "./fake-clock.ts";

test("sleepers wake in the order of their times, and time stands where each one wanted to wake", async () => {
  const clock = fakeClock({ startAt: 1_000_000 });
  const woken: [string, number][] = [];
  const sleep = (name: string, ms: number) => clock.sleep(ms).then(() => woken.push([name, clock.ticks()]));
  void sleep("late", 30);
  void sleep("early", 10);
  void sleep("middle", 20).then(() => sleep("again", 5));
  await clock.advance(26);
  expect(woken).toEqual([
    ["early", 10],
    ["middle", 20],
    ["again", 25],
  ]);
  expect([clock.ticks(), clock.now(), clock.sleepers]).toEqual([26, 1_000_026, 1]);
  await clock.advance(4);
  expect(woken.at(-1)).toEqual(["late", 30]);
});

test("a sleep is ended by its signal, with the signal's reason", async () => {
  const clock = fakeClock();
  const control = new AbortController();
  const sleep = clock.sleep(10, control.signal);
  const reason = new Error("enough");
  control.abort(reason);
  await expect(sleep).rejects.toBe(reason);
  expect(clock.sleepers).toBe(0);
  await expect(clock.sleep(10, control.signal)).rejects.toBe(reason);
});

test("a clock that advances by itself lets weeks pass at once, in order", async () => {
  const clock = fakeClock({ autoAdvance: true });
  const woken: string[] = [];
  await Promise.all([
    clock.sleep(2 ** 32).then(() => woken.push("weeks")),
    clock.sleep(60_000).then(() => woken.push("minute")),
  ]);
  expect(woken).toEqual(["minute", "weeks"]);
  expect(clock.ticks()).toBe(2 ** 32);
});
