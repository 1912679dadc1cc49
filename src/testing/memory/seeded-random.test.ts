import { expect, test } from "vitest";
import { seededRandom } from "./seeded-random.ts";

test("the same seed gives the same numbers and ids, another seed others", () => {
  const draw = (seed: number) => {
    const random = seededRandom(seed);
    return [random.next(), random.uuid(), random.next(), random.uuid()];
  };
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
});

test("numbers are spread over [0, 1)", () => {
  const random = seededRandom(1);
  const numbers = Array.from({ length: 10_000 }, () => random.next());
  expect(numbers.every((n) => n >= 0 && n < 1)).toBe(true);
  const tenths = new Set(numbers.map((n) => Math.floor(n * 10)));
  expect(tenths.size).toBe(10);
  expect(numbers.reduce((sum, n) => sum + n, 0) / numbers.length).toBeCloseTo(0.5, 1);
});

test("ids are UUIDs, all different, and sort in the order they were made", () => {
  const random = seededRandom(3);
  const ids = Array.from({ length: 1_000 }, () => random.uuid());
  expect(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toBe(
    true,
  );
  expect(new Set(ids).size).toBe(1_000);
  expect(ids.toSorted()).toEqual(ids);
});
