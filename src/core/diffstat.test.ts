// Counted lines agree with those of git, and texts that differ wholly are counted in bounded time.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { seededRandom } from "../testing/memory/seeded-random.ts";
import { tempDir } from "../testing/memory/temp-dir.ts";
import { diffstat } from "./diffstat.ts";

test.each([
  ["", "", 0, 0],
  ["", "a\nb\n", 2, 0],
  ["a\nb\n", "", 0, 2],
  ["a\nb\nc\n", "a\nc\n", 0, 1],
  ["a\nb\nc\n", "a\nB\nc\n", 1, 1],
  ["a\nb\n", "b\na\n", 1, 1],
  ["a", "a\n", 1, 1],
  ["a\r\nb", "a\nb", 1, 1],
])("%j to %j is +%i -%i", (before, after, added, removed) => {
  expect(diffstat(before, after)).toEqual({ added, removed });
});

test("agrees with git on 40 random edits", async () => {
  await using dir = await tempDir();
  const random = seededRandom(5);
  const line = (): string => `line ${Math.floor(random.next() * 30)}`;
  for (let n = 0; n < 40; n++) {
    const before = Array.from({ length: 40 }, line);
    const after = before.flatMap((one) => (random.next() < 0.1 ? [] : random.next() < 0.1 ? [one, line()] : [one]));
    const [a, b] = [before.join("\n") + "\n", after.join("\n") + "\n"];
    writeFileSync(dir.join("a"), a);
    writeFileSync(dir.join("b"), b);
    const git = ["diff", "--no-index", "--minimal", "--numstat", dir.join("a"), dir.join("b")];
    const told = (() => {
      try {
        return execFileSync("git", git, { encoding: "utf8" });
      } catch (error) {
        return (error as { stdout: string }).stdout;
      }
    })();
    const [added = 0, removed = 0] = told === "" ? [] : told.split("\t").slice(0, 2).map(Number);
    expect(diffstat(a, b)).toEqual({ added, removed });
  }
});

test("two large texts without a common line are counted in well under a second", () => {
  const text = (word: string): string => Array.from({ length: 100_000 }, (_, n) => `${word} ${n}\n`).join("");
  const began = performance.now();
  expect(diffstat(text("old"), text("new"))).toEqual({ added: 100_000, removed: 100_000 });
  expect(performance.now() - began).toBeLessThan(1_000);
});
