import { describe, expect, test } from "vitest";
import { type Question, judge, parseRule } from "./permissions.ts";

const roots = ["/w/proj"];
const base: Question = {
  tool: "Bash",
  reach: [{ may: "run", command: "npm test" }],
  roots,
  mode: "confirm",
  rules: { allow: [], deny: [] },
  outcomeUnknown: false,
};
const rules = (allow: string[], deny: string[] = []) => ({
  allow: allow.flatMap((rule) => parseRule(rule) ?? []),
  deny: deny.flatMap((rule) => parseRule(rule) ?? []),
});
const read = (path: string): Partial<Question> => ({ tool: "Read", reach: [{ may: "read", path }] });

describe("the verdict", () => {
  test.each([
    ["E3: reading inside the workspace is allowed", read("/w/proj/a.ts"), "allow"],
    ["reading outside is denied", read("/w/other/a.ts"), "deny"],
    ["a sibling with the same beginning is outside", read("/w/proj-evil/a.ts"), "deny"],
    ["outside is denied in yolo too", { ...read("/etc/passwd"), mode: "yolo" }, "deny"],
    ["a command asks", {}, "ask"],
    ["yolo resolves ask", { mode: "yolo" }, "allow"],
    ["human mode asks", { mode: "human" }, "ask"],
    ["a rule for the tool allows it", { rules: rules(["Bash"]) }, "allow"],
    ["a rule for exactly this command allows it", { rules: rules(["Bash(npm test)"]) }, "allow"],
    ["a rule for another command does not", { rules: rules(["Bash(npm tes)"]) }, "ask"],
    [
      "a longer command is not covered by a rule for its beginning",
      { rules: rules(["Bash(npm test)"]), reach: [{ may: "run", command: "npm test; rm -rf /" }] },
      "ask",
    ],
    ["deny wins over allow", { rules: rules(["Bash"], ["Bash(npm test)"]) }, "deny"],
    ["deny holds in yolo", { rules: rules([], ["Bash"]), mode: "yolo" }, "deny"],
    ["P.D02: an unknown outcome asks, also in yolo", { outcomeUnknown: true, mode: "yolo" }, "ask"],
    ["P.D02: a rule for the whole tool is no answer to that", { outcomeUnknown: true, rules: rules(["Bash"]) }, "ask"],
    ["P.D02: a rule for exactly this call is", { outcomeUnknown: true, rules: rules(["Bash(npm test)"]) }, "allow"],
  ] as [string, Partial<Question>, string][])("%s", (_name, change, is) => {
    expect(judge({ ...base, ...change }).is).toBe(is);
  });

  test("a rule that cannot be read is none", () => {
    expect(parseRule("Bash(")).toBe(undefined);
    expect(parseRule("")).toBe(undefined);
    expect(parseRule("Bash(a (b) c)")).toEqual({ tool: "Bash", exactly: "a (b) c" });
  });
});
