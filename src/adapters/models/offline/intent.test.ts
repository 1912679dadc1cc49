import { describe, expect, test } from "vitest";
import { intentOf } from "./intent.ts";
import { pathIn } from "./prompt-names.ts";

describe("a prompt is taken for what it asks", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["which function writes an event to the journal?", "find"],
    ["where is maxRetries defined?", "find"],
    ["find the code that parses the config", "find"],
    ["how does the app handle login?", "find"],
    ["where is the review queue implemented?", "find"],
    ["which function decides whether a tool call is allowed?", "find"],
    ["acquireLock", "find"],
    ["who calls acquireLock?", "usages"],
    ["where is TreeLog.append used?", "usages"],
    ["callers of open()", "usages"],
    ["what does src/main.ts do?", "explain"],
    ["what does the readme say", "explain"],
    ["explain config.py", "explain"],
    ["summarise this repo", "summary"],
    ["Give me an overview of the project.", "summary"],
    ["what does this project do?", "summary"],
    ["how do I run the tests?", "summary"],
    ["review the diff", "review"],
    ["please review my changes against main", "review"],
    ["list TODOs", "todos"],
    ["are there any FIXMEs left?", "todos"],
    ["plan adding a cache to the parser", "plan"],
    ["how would I add a retry to the client?", "plan"],
    ["help", "help"],
    ["what can you do?", "help"],
    ["   ", "help"],
    ["write a poem about autumn leaves", "unknown"],
    ["fix the crash in the scheduler", "unknown"],
  ];
  for (const [prompt, is] of cases)
    test(`${JSON.stringify(prompt)} is ${is}`, () => expect(intentOf(prompt).is).toBe(is));
});

test("a question keeps its telling words and drops the others", () => {
  const intent = intentOf("which function writes an event to the journal?");
  expect(intent).toMatchObject({ is: "find", wanted: "function" });
  expect(intent.is === "find" && intent.concepts.map((concept) => concept.word)).toEqual([
    "writes",
    "event",
    "journal",
  ]);
});

test("a review knows what it is asked to look at", () => {
  const target = (prompt: string): unknown => {
    const intent = intentOf(prompt);
    return intent.is === "review" ? intent.target : intent.is;
  };
  expect(target("review the diff")).toEqual({ of: "work" });
  expect(target("review the staged changes")).toEqual({ of: "staged" });
  expect(target("review the diff against origin/main")).toEqual({ of: "since", ref: "origin/main" });
  expect(target("review src/a.ts")).toEqual({ of: "file", path: "src/a.ts" });
});

test("what a shell could read as more than a name never becomes a ref", () => {
  for (const prompt of [
    "review the diff against $(rm -rf x)",
    "review the diff against --output=x",
    "review the diff against a;b",
  ]) {
    const intent = intentOf(prompt);
    const target = intent.is === "review" ? intent.target : undefined;
    expect(target?.of === "since" ? target.ref : "", prompt).toMatch(/^[\w./-]*$/);
    expect(target?.of === "since" ? target.ref : "", prompt).not.toMatch(/^-/);
  }
});

test("paths are told from other words with dots and slashes", () => {
  expect(pathIn("what does `src/core/ids.ts` do")).toBe("src/core/ids.ts");
  expect(pathIn("what is in package.json?")).toBe("package.json");
  expect(pathIn("see https://example.com/a.ts for more")).toBeUndefined();
  expect(pathIn("is read/write access and/or more e.g. here")).toBeUndefined();
});

test("a prompt of any size and shape is read at once", () => {
  const started = performance.now();
  for (const part of ["a ", "(", "review ", "what is ", '"', "`'", ".", "a.", "::", "plan ", "this the our "])
    intentOf(part.repeat(4_000).slice(0, 4_000));
  expect(performance.now() - started).toBeLessThan(1_000);
});
