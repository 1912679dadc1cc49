import { expect, test } from "vitest";
import { definitionsIn, fullName } from "./definitions.ts";
import { type Wanted, rankDefinitions, rankFiles } from "./rank.ts";
import { isTestPath } from "./places.ts";
import { conceptsOf } from "./words.ts";

const counts = (...all: readonly Record<string, number>[]) => all.map((one) => new Map(Object.entries(one)));

test("a file with all concepts comes before one that has a single one often", () => {
  const concepts = conceptsOf("write journal");
  const files = rankFiles(concepts, counts({ "src/a.ts": 3, "src/b.ts": 50 }, { "src/a.ts": 2 }), [], "any");
  expect(files.map((file) => file.path)).toEqual(["src/a.ts", "src/b.ts"]);
});

test("product comes before tests, documents and built files, unless tests are asked for", () => {
  const concepts = conceptsOf("journal");
  const same = { "src/journal.test.ts": 5, "src/journal.ts": 5, "docs/journal.md": 5, "dist/journal.js": 5 };
  const first = (wanted: Wanted) => rankFiles(concepts, counts(same), [], wanted)[0]?.path;
  expect(first("function")).toBe("src/journal.ts");
  expect(first("test")).toBe("src/journal.test.ts");
});

test("the order does not depend on the order of the findings", () => {
  const concepts = conceptsOf("journal");
  const one = rankFiles(concepts, counts({ "b.ts": 1, "a.ts": 1 }), [], "any");
  const other = rankFiles(concepts, counts({ "a.ts": 1, "b.ts": 1 }), [], "any");
  expect(one).toEqual(other);
  expect(one.map((file) => file.path)).toEqual(["a.ts", "b.ts"]);
});

const source = `class Journal {
  append(event: Event): void {
    this.#write(event);
  }
  #write(line: string): void {
    save(line);
  }
  close(): void {
    stop();
  }
}
function writeFile(path: string): void {
  go(path);
}`.split("\n");

test("a method whose class, name and parameters fit together is the answer", () => {
  const concepts = conceptsOf("which function writes an event to the journal?");
  const ranked = rankDefinitions(
    concepts,
    counts({ "a.ts": 9 }, { "a.ts": 9 }, { "a.ts": 9 }),
    definitionsIn("a.ts", source),
    "function",
  );
  const names = ranked.map(({ definition }) => fullName(definition));
  expect(names[0]).toBe("Journal.append");
  expect(names.indexOf("Journal.#write")).toBeLessThan(names.indexOf("writeFile"));
});

test("a name that is asked for exactly wins over what mentions it", () => {
  const ranked = rankDefinitions(
    conceptsOf("where is writeFile"),
    counts({ "a.ts": 2 }),
    definitionsIn("a.ts", source),
    "any",
  );
  expect(ranked[0]?.definition.name).toBe("writeFile");
});

test("tests are known by folder or name", () => {
  expect(["test/a.ts", "src/a.test.ts", "pkg/a_test.go", "test_a.py", "src/__tests__/a.js"].every(isTestPath)).toBe(
    true,
  );
  expect(["src/latest/a.ts", "src/attest.ts", "contest.py"].some(isTestPath)).toBe(false);
});
