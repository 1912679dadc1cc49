import { describe, expect, test } from "vitest";
import { parseDiff } from "./diff.ts";
import { findingsIn, findingsOf } from "./findings.ts";

const DIFF = `diff --git a/src/a.ts b/src/a.ts
index 1..2 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,3 +1,4 @@ head
 const a = 1;
--- not a header
+++ not a header either
+console.log(a);
 const b = 2;
@@ -10 +11,2 @@
-old
+new
+newer
\\ No newline at end of file
diff --git a/gone.ts b/gone.ts
--- a/gone.ts
+++ /dev/null
@@ -1 +0,0 @@
-x
`;

test("added lines of a diff have their numbers in the new file", () => {
  const diff = parseDiff(DIFF);
  expect(diff.added).toEqual([
    { path: "src/a.ts", line: 2, text: "++ not a header either" },
    { path: "src/a.ts", line: 3, text: "console.log(a);" },
    { path: "src/a.ts", line: 11, text: "new" },
    { path: "src/a.ts", line: 12, text: "newer" },
  ]);
  expect(diff.files).toEqual([
    { path: "src/a.ts", added: 4, removed: 2 },
    { path: "/dev/null", added: 0, removed: 1 },
  ]);
});

test("what is no diff has no lines", () => {
  expect(parseDiff("fatal: not a git repository\n+++ \n@@ x @@\n+a").added).toEqual([]);
});

describe("an added line is flagged", () => {
  // Put together here, so that this file does not hold what it warns of.
  const cases: readonly (readonly [string, string])[] = [
    ["high", `${"<".repeat(7)} HEAD`],
    ["high", `const key = "${"AKIA"}${"A".repeat(16)}";`],
    ["high", `password = "${"hunter2".repeat(2)}"`],
    ["high", `describe.${"only"}("x", () => {`],
    ["medium", `test.${"skip"}("x", () => {`],
    ["medium", "  console.log(value);"],
    ["medium", "} catch (error) {}"],
    ["low", `// ${"TO"}${"DO"} later`],
    ["low", `// @ts-${"ignore"}`],
    ["low", `const a = "${"x".repeat(170)}";`],
  ];
  for (const [severity, text] of cases)
    test(`${severity}: ${text.slice(0, 30)}`, () => {
      expect(findingsIn([{ path: "src/a.ts", line: 7, text }])).toMatchObject([
        { severity, path: "src/a.ts", line: 7 },
      ]);
    });
});

test("ordinary lines are not flagged", () => {
  for (const text of [
    "const a = 1;",
    "// console.log(a)",
    'password = process.env["X"]',
    "} catch (error) { throw error; }",
    "=======",
    "a.skip(3)",
  ])
    expect(findingsIn([{ path: "src/a.ts", line: 1, text }]), text).toEqual([]);
});

test("a catch that holds nothing over two lines is flagged", () => {
  const lines = ["} catch (e) {", "}"].map((text, at) => ({ path: "a.ts", line: at + 1, text }));
  expect(findingsIn(lines)).toMatchObject([{ severity: "medium", line: 1 }]);
});

test("much code without a line of a test is flagged, with one it is not", () => {
  const diff = (...files: readonly (readonly [string, number])[]) => ({
    added: [],
    files: files.map(([path, added]) => ({ path, added, removed: 0 })),
  });
  expect(findingsOf(diff(["src/a.ts", 200]))).toMatchObject([{ severity: "medium", path: "src/a.ts" }]);
  expect(findingsOf(diff(["src/a.ts", 200], ["src/a.test.ts", 5]))).toEqual([]);
  expect(findingsOf(diff(["src/a.ts", 5], ["docs/a.md", 500]))).toEqual([]);
});

test("a hostile diff is read in time", () => {
  const started = performance.now();
  for (const part of ["+catch(", "+a = '", "+<", "+++ ", "@@ -1,999999999 +1,999999999 @@\n+", "+\t", "+-----BEGIN "]) {
    const diff = parseDiff(`+++ b/a.ts\n@@ -1,9 +1,9 @@\n${part.repeat(20_000)}`);
    findingsIn(diff.added);
  }
  expect(performance.now() - started).toBeLessThan(2_000);
});
