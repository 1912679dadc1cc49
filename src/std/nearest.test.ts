import { expect, test } from "vitest";
import { nearest } from "./nearest.ts";

test.each([
  ["modle", "model"],
  ["sesions", "sessions"],
  ["Raed", "Read"],
  ["xyz", undefined],
  ["", undefined],
])("%s probably means %s", (word, meant) => {
  expect(nearest(word, ["model", "mode", "sessions", "Read"])).toBe(meant);
});
