import { expect, test } from "vitest";
import { systemClock, systemRandom, uuidV7 } from "./system-clock.ts";

test("a sleep longer than a timer can hold does not end at once, and ends by its signal", async () => {
  const stop = new AbortController();
  const slept = systemClock.sleep(2 ** 31 + 5, stop.signal).then(
    () => "woke",
    () => "stopped",
  );
  expect(await Promise.race([slept, systemClock.sleep(50).then(() => "still asleep")])).toBe("still asleep");
  stop.abort(new Error("enough"));
  expect(await slept).toBe("stopped");
});

test("ids made later sort after earlier ones and have the form of a UUID", () => {
  const dice = new Uint8Array(10).fill(255);
  expect(uuidV7(1, dice) < uuidV7(2, new Uint8Array(10))).toBe(true);
  expect(systemRandom.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
