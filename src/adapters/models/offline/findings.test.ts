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
  expect(diff.lines.filter((line) => !line.around)).toEqual([
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
  expect(parseDiff("fatal: not a git repository\n+++ \n@@ x @@\n+a").lines).toEqual([]);
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
    lines: [],
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
    findingsIn(diff.lines);
  }
  expect(performance.now() - started).toBeLessThan(2_000);
});

const messages = (path: string, ...lines: readonly string[]): readonly string[] =>
  findingsIn(lines.map((text, at) => ({ path, line: at + 1, text }))).map((one) => `${one.line}: ${one.message}`);

test("a suppressed lint rule is told as that, and a type check that is switched off as that", () => {
  expect(
    messages(
      "a.ts",
      "// eslint-disable-next-line no-console",
      `// @ts-${"ignore"}`,
      "let a = b as any;",
      "// oxlint-disable x",
    ),
  ).toEqual([
    "1: a lint rule is suppressed",
    "2: a type check is switched off",
    "3: a type check is switched off",
    "4: a lint rule is suppressed",
  ]);
  expect(messages("a.py", "import x  # noqa: F401", "y = 1  # type: ignore")).toEqual([
    "1: a lint rule is suppressed",
    "2: a type check is switched off",
  ]);
});

test("what stands in comments and in quotes is not taken for code, nor code for a comment", () => {
  const quiet: readonly (readonly [string, readonly string[]])[] = [
    ["a.ts", ["/*", "console.log(a);", "debugger;", "*/"]],
    ["a.ts", ["const help = `", "console.log(a);", "test.only(b)", "`;"]],
    ["a.ts", ['const rule = "console.log(x)"; // console.log(y)']],
    ["a.ts", ["const s = 'it.only(';", "const r = /console.log\\(/;"]],
    ["a.ts", ["catch (error) {", "  // It is gone already.", "}"]],
    ["a.py", ['"""', "breakpoint()", '"""', "# breakpoint()"]],
    ["a.rb", ["# binding.pry"]],
    ["a.go", ["var a = `", 't.Skip("x")', "`"]],
    ["a.ts", [`const words = "TO${"DO"}";`]],
  ];
  for (const [path, lines] of quiet) expect(messages(path, ...lines), lines.join("\n")).toEqual([]);
  expect(messages("a.ts", "/* a */ console.log(b); // c")).toHaveLength(1);
  expect(messages("a.ts", "const a = `x`; debugger;")).toHaveLength(1);
});

test("generated sources: each aid in code is found, and none in a comment or a text", () => {
  for (let seed = 1; seed <= (process.env["SOAK"] ? 20_000 : 300); seed++) {
    const { lines, expected } = generated(seed);
    const found = findingsIn(lines.map((text, at) => ({ path: "a.ts", line: at + 1, text })))
      .filter((one) => one.message.includes("debugging aid"))
      .map((one) => one.line);
    expect(found, `seed ${seed}\n${lines.join("\n")}`).toEqual(expected);
  }
});

/** Lines put together from pieces of which it is known whether a program would run them. */
function generated(seed: number): { lines: readonly string[]; expected: readonly number[] } {
  let state = seed;
  const pick = <T>(all: readonly T[]): T => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return all[(state >>> 8) % all.length]!;
  };
  const aids = ["console.log(a)", "console.debug('x', b)", "dbg!(c)", "breakpoint()"];
  const dead: readonly ((aid: string) => readonly string[])[] = [
    (aid) => [`// ${aid}`],
    (aid) => [`/* ${aid} */`],
    (aid) => ["/**", ` * ${aid}`, " */"],
    (aid) => ["/*", aid, "*/"],
    (aid) => [`const s = ${JSON.stringify(aid)};`],
    (aid) => ["const t = `", `  ${aid} \\\` "`, "`;"],
    (aid) => [`call("a \\" ${aid.replaceAll("'", "")}", 'b // c');`],
    () => [`const r = /["'\`]/g; // console.log(a)`],
  ];
  const live: readonly ((aid: string) => string)[] = [
    (aid) => `${aid};`,
    (aid) => `if (a) ${aid}; // why`,
    (aid) => `/* b */ ${aid};`,
    (aid) => `const s = "//"; ${aid};`,
    (aid) => `const q = /"/.test(a); ${aid};`,
    (aid) => `const t = \`/* \`; ${aid};`,
  ];
  const lines: string[] = [];
  const expected: number[] = [];
  for (let n = 0; n < 8; n++) {
    if (pick([true, false])) {
      lines.push(pick(live)(pick(aids)));
      expected.push(lines.length);
    } else lines.push(...pick(dead)(pick(aids)));
  }
  return { lines, expected };
}
