import { expect, test } from "vitest";
import { noRules, parseRule } from "../rules.ts";
import { assemble } from "./assemble.ts";
import { rightsOf } from "./rights.ts";
import { readProfiles } from "./read-profile.ts";

const offered = ["Read", "Grep", "Bash", "Write", "spawn_subagent"].map((name) => ({ name }));
const rule = (text: string) => parseRule(text)!;
function agent(fields: object) {
  const drafts = readProfiles({ a: { description: "d", prompt: "p", ...fields } }, { kind: "cli-json", priority: 100 });
  return assemble(drafts).find("a")!;
}
const shown = (fields: object, rules = noRules, mode: "confirm" | "yolo" = "confirm") =>
  Object.fromEntries(
    rightsOf(agent(fields), { offered, rules, mode }).map(({ tool, is, because }) => [tool, `${is}: ${because}`]),
  );

test("P.T07: what a child may do is told tool by tool with the layer that decides", () => {
  const rights = shown({ tools: ["Read", "Bash(git log:*)"] });
  expect(rights["Read"]).toBe("allowed: it only reads, inside the workspace");
  expect(rights["Bash"]).toMatch(
    /^asks: the mode is confirm, but for commands .*; its definition gives it only Bash\(git log:\*\)$/,
  );
  expect(rights["Write"]).toBe("not given: its definition lists only Read, Bash(git log:*)");
  expect(rights["spawn_subagent"]).toMatch(/^not given: its definition lists only/);
});

test("rules of the person and the mode show, and deny stands in yolo", () => {
  const rules = { allow: [rule("Write")], ask: [], deny: [rule("Bash"), rule("Read(secrets/**)")] };
  const rights = shown({}, rules, "yolo");
  expect(rights["Bash"]).toMatch(/^denied: in every mode/);
  expect(rights["Read"]).toMatch(/your rule Read\(secrets\/\*\*\) denies/);
  expect(rights["Write"]).toMatch(/^allowed/);
  expect(rights["spawn_subagent"]).toMatch(/^not given: it may not spawn/);
  expect(shown({ disallowedTools: ["Grep"] })["Grep"]).toBe("not given: its definition disallows it");
});
