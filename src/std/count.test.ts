import { expect, test } from "vitest";
import { count } from "./count.ts";

test("a noun agrees with its number", () => {
  expect([0, 1, 2].map((number) => count(number, "file"))).toEqual(["0 files", "1 file", "2 files"]);
  expect([1, 3].map((number) => count(number, "child", "children"))).toEqual(["1 child", "3 children"]);
});
