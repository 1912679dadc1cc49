import { expect, test } from "vitest";
import { intentOf } from "../intent.ts";
import { manifestFrom } from "./manifest.ts";

test("questions about a whole project that its files and manifests answer are not searched for by their words", () => {
  const fact = (prompt: string) => {
    const intent = intentOf(prompt);
    return intent.is === "facts" ? intent.fact : intent.is;
  };
  for (const asked of [
    "where does the program start?",
    "query: where does the program start?",
    "what is the entry point?",
  ])
    expect(fact(asked), asked).toBe("entry");
  for (const asked of ["list the files", "how many files are there?", "which files are in this folder?"])
    expect(fact(asked), asked).toBe("files");
  for (const asked of ["what are the dependencies?", "list dependencies"])
    expect(fact(asked), asked).toBe("dependencies");
  for (const asked of [
    "where does the parser start?",
    "how many files are parsed at once?",
    "which files use openTree?",
  ])
    expect(["find", "usages"], asked).toContain(fact(asked));
});

test("a package.json tells what starts it and what it needs", () => {
  const text = { main: "lib/a.js", bin: "bin/a", scripts: { start: "node src/main.js" }, dependencies: { b: "^1" } };
  const lines = JSON.stringify(text);
  const result = { tool: "Read", input: { file_path: "package.json" }, text: `     1\t${lines}`, failed: false };
  expect(manifestFrom(result)).toMatchObject({
    entries: ["bin/a", "lib/a.js"],
    start: "node src/main.js",
    needs: ["b ^1"],
  });
});
