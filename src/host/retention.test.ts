import { describe, expect, test } from "vitest";
import type { TreePeek } from "../adapters/log/peek-tree.ts";
import { type Age, isOld } from "./retention.ts";

const now = 1_790_000_000_000;
const day = 86_400_000;
/** A tree whose lead's last step is of this type and whose last record is so many days old. */
const tree = (type: string | undefined, days: number): Pick<TreePeek, "lastRun" | "last"> => {
  const time = now - days * day;
  return { lastRun: type && { type, time }, last: { type: "note.added", time } } as unknown as TreePeek;
};

describe("a session", () => {
  test.each<[string, string | undefined, number, Partial<Age>, boolean]>([
    ["that ended goes after its days", "run.ended", 3, { days: 2 }, true],
    ["that ended stays within its days", "run.ended", 1, { days: 2 }, false],
    ["that ended goes when there are too many", "run.ended", 0, { tooMany: true }, true],
    ["that ended stays without a limit", "run.ended", 1_000, {}, false],
    ["that is paused stays for ever", "run.paused", 1_000, { days: 2, tooMany: true }, false],
    ["that is parked stays for ever", "run.parked", 1_000, { days: 2, tooMany: true }, false],
    [
      "that was cut off stays within its days, however many there are",
      "run.started",
      1,
      { days: 2, tooMany: true },
      false,
    ],
    ["that was cut off goes after its days", "run.started", 3, { days: 2 }, true],
    ["that never ran goes after its days", undefined, 3, { days: 2 }, true],
  ])("%s", (_, type, days, age, old) => {
    expect(isOld(tree(type, days), { tooMany: false, days: undefined, now, ...age })).toBe(old);
  });

  test("without a readable record stays: nobody knows what it is", () => {
    expect(isOld({ lastRun: undefined, last: undefined }, { tooMany: true, days: 1, now })).toBe(false);
  });
});
