import { expect, test } from "vitest";
import type { SessionId } from "./ids.ts";
import { shortIds } from "./short-ids.ts";

const id = (start: string): SessionId => `agent-${start.padEnd(36, "0")}` as SessionId;

test("X4: a short id is the start of an id that fits no other, and not shorter than eleven characters", () => {
  const [a, b, c] = [id("01a08b2c-1111-7aaa"), id("01a08b2c-1111-7aab"), id("02000000-0000-7000")];
  const short = shortIds([c, a, b]);
  expect([a, b, c].map(short)).toEqual(["01a08b2c-1111-7aaa", "01a08b2c-1111-7aab", "02000000-00"]);
  expect(short(id("99"))).toBe(id("99"));
});
