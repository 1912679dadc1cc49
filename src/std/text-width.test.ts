import { expect, test } from "vitest";
import { cutToWidth, textWidth } from "./text-width.ts";

test("wide characters and pictures take two columns, marks none", () => {
  expect(["abc", "äöü", "日本語", "한글", "👩‍👩‍👧", "e\u0301", "ｗ"].map(textWidth)).toEqual([3, 3, 6, 4, 2, 1, 2]);
});

test("what is cut never takes more than its columns, whatever is in it", () => {
  const letters = ["a", "ä", "日", "👍🏽", "e\u0301", " ", "…"];
  let seed = 7;
  const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 500; round++) {
    const text = Array.from({ length: random(30) }, () => letters[random(letters.length)]).join("");
    const columns = random(20);
    const cut = cutToWidth(text, columns);
    expect(textWidth(cut), JSON.stringify(text)).toBeLessThanOrEqual(columns);
    expect(cut === text).toBe(textWidth(text) <= columns);
  }
});
