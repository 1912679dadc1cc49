import { expect, test } from "vitest";
import { type FileId, mergeStep, rivals } from "./merge-plan.ts";

const file = (id: string, kind: "file" | "executable" | "link" = "file"): FileId => ({ id, kind });

test.each([
  ["an untouched file is replaced", file("a"), file("b"), file("a"), "replace"],
  ["a new file is created", null, file("b"), null, "replace"],
  ["an untouched file is deleted", file("a"), null, file("a"), "replace"],
  ["what is there already is left", file("a"), file("b"), file("b"), "nothing"],
  ["what is gone already is left", file("a"), null, null, "nothing"],
  ["a file changed on both sides is joined", file("a"), file("b"), file("c"), "join"],
  ["a changed mode alone is a change", file("a"), file("a", "executable"), file("a"), "replace"],
  ["a file that is gone here conflicts", file("a"), file("b"), null, "conflict"],
  ["a file that is gone there conflicts", file("a"), null, file("c"), "conflict"],
  ["a file created twice conflicts", null, file("b"), file("c"), "conflict"],
  ["a link that differs on both sides conflicts", file("a", "link"), file("b", "link"), file("c", "link"), "conflict"],
] as const)("D4: %s", (_name, before, after, now, is) => {
  expect(mergeStep({ path: "x", before, after }, now).is).toBe(is);
});

test("D4: siblings that changed one file differently are found before anything is applied", () => {
  const copy = (name: string, ...changes: [string, FileId][]) => ({
    name,
    changes: changes.map(([path, after]) => ({ path, before: file("0"), after })),
  });
  const found = rivals([
    copy("S1", ["a", file("1")], ["b", file("1")]),
    copy("S2", ["a", file("2")], ["b", file("1")]),
    copy("S3", ["a", null]),
  ]);
  expect([...found]).toEqual([["a", ["S1", "S2", "S3"]]]);
});
