import { describe, expect, test } from "vitest";
import type { DurableEvent, Recorded } from "../core/events.ts";
import { ROOT } from "../core/ids.ts";
import { foldTree, newTree } from "../core/tree-state.ts";
import { noRules } from "../core/rules.ts";
import { type Wishes, planNew, planResume } from "./session-plan.ts";

const none: Wishes = { prompt: "go", cwd: "/w", limits: {}, budget: {}, rules: noRules, addDirs: [] };
const touch = { tool: "Bash", spec: "touch:*" };
const npm = { tool: "Bash", spec: "npm test" };
const git = { tool: "Bash", spec: "git log" };

/** A session begun with the first wishes and resumed with each of the others, through its record. */
function resumed(first: Partial<Wishes>, ...later: Partial<Wishes>[]) {
  const tree = newTree();
  const opening = planNew("1", { ...none, ...first });
  let seq = 0;
  const record = (events: readonly DurableEvent[]): void => {
    for (const event of events) {
      const envelope = { v: 1, seq: ++seq, time: 1, epoch: 1, session: opening.session, path: ROOT };
      foldTree(tree, JSON.parse(JSON.stringify({ ...envelope, ...event })) as Recorded);
    }
  };
  record(opening.opening(first.model ?? "anthropic/a", "/w", "1", "test"));
  let plan = opening;
  const recorded: DurableEvent[][] = [];
  for (const wishes of later) {
    plan = planResume(tree, tree.sessions.get(opening.session)!, { ...none, ...wishes });
    recorded.push(plan.opening(plan.model ?? "", "/w", "1", "test"));
    record(recorded.at(-1)!);
  }
  return { plan, recorded };
}

describe("a session that is resumed", () => {
  test("keeps what was denied, asked, allowed and added, and records nothing when nothing changes", () => {
    const given = {
      rules: { allow: [npm], ask: [git], deny: [touch] },
      addDirs: ["/more"],
      effort: "low" as const,
    };
    const { plan, recorded } = resumed(given, {}, {});
    expect(plan.standing).toEqual(given);
    expect(recorded).toEqual([[], []]);
  });

  test("adds to what is denied, and takes what is newly allowed or added instead, also for later", () => {
    const { plan, recorded } = resumed(
      { rules: { allow: [npm], ask: [], deny: [touch] }, addDirs: ["/more"] },
      { rules: { allow: [git], ask: [], deny: [npm, touch] }, addDirs: ["/other"] },
      {},
    );
    expect(plan.standing).toEqual({ rules: { allow: [git], ask: [], deny: [touch, npm] }, addDirs: ["/other"] });
    expect(recorded.map((events) => events.map(({ type }) => type))).toEqual([["settings.changed"], []]);
  });

  test("goes on with the model it was last given", () => {
    const { plan } = resumed({ model: "anthropic/a" }, { model: "openai/b" }, {});
    expect(plan.model).toBe("openai/b");
  });

  test("denies a tool whole where the words of a rule were masked in the record, and allows nothing by such a rule", () => {
    const masked = { tool: "Bash", spec: "echo [masked KEY]" };
    const { plan } = resumed({ rules: { allow: [masked], ask: [], deny: [masked] } }, {});
    expect(plan.standing.rules).toEqual({ allow: [], ask: [], deny: [{ tool: "Bash" }] });
  });
});
