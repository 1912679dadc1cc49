import { describe, expect, test } from "vitest";
import { readFlags } from "./flags.ts";
import { runFlags } from "./run-flags.ts";

const run = (...words: string[]) => readFlags("run", runFlags, words);

describe("flags", () => {
  test("are read by their kind, wherever they stand", () => {
    const { flags, rest } = run(
      "do",
      "--max-turns",
      "3",
      "it",
      "-o",
      "json",
      "--allow",
      "Bash",
      "--allow=Read",
      "--timeout",
      "1.5",
    );
    expect(flags).toEqual({ "max-turns": 3, output: "json", allow: ["Bash", "Read"], timeout: 1.5 });
    expect(rest).toEqual(["do", "it"]);
  });

  test("P.T01: text after -- is never taken for a flag", () => {
    expect(run("--", "--mode", "yolo")).toEqual({ flags: {}, rest: ["--mode", "yolo"] });
  });

  test.each([
    [["--mode"], "--mode needs a value"],
    [["--mode", "--output"], "--mode needs a value"],
    [["--continue=yes"], "--continue takes no value"],
    [["--max-turns", "2.5"], "--max-turns needs a whole number above 0"],
    [["--timeout", "soon"], '--timeout needs a number above 0; got "soon"'],
    [["-x"], "sous run has no flag -x"],
  ])("%j is refused with what to do", (words, message) => {
    expect(() => run(...words)).toThrow(message);
  });
});
