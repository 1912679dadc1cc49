// The threat model names a test for every promise: each is there, under the name that the page gives.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = readFileSync(`${root}docs/threat-model.md`, "utf8");
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (row|-)/.test(line))
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .map(([, row = "", promise = "", mechanism = "", shown = ""]) => ({ row, promise, mechanism, shown }));
const references = (shown: string) =>
  [...shown.matchAll(/`([^`]+)` “([^”]+)”/g)].map(([, file = "", name = ""]) => ({ file, name }));

/** What stands right after a bracket is the name of a test or of a group. */
const named = (text: string, name: string): boolean =>
  text.split(name).some((before, at, all) => at < all.length - 1 && before.trimEnd().endsWith("("));

describe("docs/threat-model.md", () => {
  test.each(rows)("$row: $promise", ({ mechanism, shown }) => {
    expect(mechanism).not.toBe("");
    expect(references(shown)).not.toEqual([]);
    for (const { file, name } of references(shown)) {
      expect(existsSync(`${root}${file}`), file).toBe(true);
      const text = readFileSync(`${root}${file}`, "utf8");
      expect(
        ['"', "`"].some((quote) => named(text, `${quote}${name}${quote}`)),
        `${file} “${name}”`,
      ).toBe(true);
    }
  });

  test("has a line for every promise about files, trust, processes, spawning, copies, injection and secrets", () => {
    const ids = [
      ...["P.F", 6],
      ...["P.T", 7],
      ...["P.I", 5],
      ...["P.X", 3],
      ...["P.P", 8],
      ...["P.S", 6],
      ...["P.Z", 4],
    ];
    const wanted = ids.flatMap((id, at) =>
      typeof id === "string" ? Array.from({ length: ids[at + 1] as number }, (_, n) => `${id}0${n + 1}`) : [],
    );
    const told = rows.map(({ row }) => row).join(" ");
    expect([...wanted, "P.B09", "P.B10"].filter((id) => !told.includes(id))).toEqual([]);
  });
});
