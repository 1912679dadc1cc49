import { expect, test } from "vitest";
import { createSlots } from "./slots.ts";

const never = new AbortController().signal;

test("places are given in the order of asking, places in the queue move up, and a place given back twice counts once", async () => {
  const slots = createSlots(1);
  const seen: string[] = [];
  const leave = await slots.take(never);
  const quits = new AbortController();
  const first = slots.take(quits.signal, (place) => seen.push(`first ${place}`)).catch(() => seen.push("first left"));
  const second = slots
    .take(never, (place) => seen.push(`second ${place}`))
    .then((done) => (seen.push("second in"), done));
  const third = slots.take(never, (place) => seen.push(`third ${place}`)).then((done) => (seen.push("third in"), done));
  quits.abort();
  await first;
  leave();
  leave();
  const secondLeaves = await second;
  await Promise.resolve();
  expect(seen).not.toContain("third in");
  secondLeaves();
  await third;
  expect(seen).toEqual(
    [
      "first 1",
      "second 2",
      "third 3",
      "first left",
      "second 1",
      "third 2",
      "third 1",
      "second in",
      "third in",
    ].toSorted((a, b) => seen.indexOf(a) - seen.indexOf(b)),
  );
  expect(seen.indexOf("second in")).toBeLessThan(seen.indexOf("third in"));
});
