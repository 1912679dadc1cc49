import { describe, expect, test } from "vitest";
import type { DurableEvent, Recorded } from "./events.ts";
import { everyEvent, result } from "./event-shape-test-kit.ts";
import { type CallId, ROOT, type SessionId, childPath } from "./ids.ts";
import {
  answerFrom,
  answerText,
  approvalBytes,
  isBlind,
  itemId,
  needsPerson,
  openItems,
  waitingItem,
} from "./inbox.ts";
import { foldTree, newTree } from "./tree-state.ts";

const lead = result.session;
const call = "call-1" as CallId;
const added = everyEvent["item.added"];
const answered = everyEvent["item.answered"];

function tree(...events: readonly DurableEvent[]) {
  const state = newTree();
  events.forEach((event, at) =>
    foldTree(state, { v: 1, seq: at + 1, time: 1_000 + at, epoch: 1, session: lead, path: ROOT, ...event } as Recorded),
  );
  return state;
}

describe("the inbox", () => {
  test("D6: what is asked waits, with who asks and the exact call", () => {
    const { items } = tree(everyEvent["session.opened"], added);
    expect(openItems(items)).toMatchObject([
      {
        kind: "approval",
        session: lead,
        path: ROOT,
        agent: "lead",
        text: "Bash ls",
        approval: added.kind === "approval" && added.approval,
        at: 1_001,
      },
    ]);
    expect(openItems(items, childPath(ROOT, 1))).toEqual([]);
    expect(waitingItem(items, lead, call)?.id).toBe("item-1");
  });

  test("P.D08: the first answer is the answer: replays and later ones change nothing", () => {
    const late = { ...answered, answer: { allow: false as const }, by: "somebody late" };
    const { items } = tree(everyEvent["session.opened"], added, answered, late, answered, added);
    expect(openItems(items)).toEqual([]);
    expect(items.all.size).toBe(1);
    expect(items.all.get(added.item)?.answered).toEqual({ answer: answered.answer, by: "a test", at: 1_002 });
  });

  test("an item whose call has ended without it can no longer be answered", () => {
    const { items } = tree(everyEvent["session.opened"], added, everyEvent["tool.ended"], answered);
    expect(items.all.get(added.item)).toMatchObject({ closed: true });
    expect(items.all.get(added.item)).not.toHaveProperty("answered");
    expect(openItems(items)).toEqual([]);
  });

  test("D11: what stands for a run and no call of it goes when the run is interrupted or ends, and can be put again", () => {
    const asked = { type: "item.added", item: added.item, kind: "question", to: "person", text: "what now?" } as const;
    const exit: DurableEvent = { ...asked, call: "exit-3" as CallId };
    for (const type of ["run.interrupted", "run.ended"] as const) {
      const over = [everyEvent["session.opened"], exit, everyEvent[type]];
      expect(openItems(tree(...over).items), type).toEqual([]);
      expect(openItems(tree(...over, exit).items), type).toMatchObject([{ text: "what now?" }]);
    }
  });

  test("D6: results of children in the background, stalls and budget stops are items too, each once", () => {
    const { items } = tree(
      everyEvent["session.opened"],
      { ...everyEvent["child.started"], background: true },
      everyEvent["child.ended"],
      everyEvent["run.paused"],
    );
    expect([...items.all.values()]).toMatchObject([
      { kind: "result", path: "ROOT::S1", agent: "general-purpose", text: "succeeded: done" },
      { kind: "budget", path: "ROOT", text: "spent" },
    ]);
    expect([...items.all.values()].filter(needsPerson)).toMatchObject([{ kind: "budget" }]);
    const later = tree(everyEvent["session.opened"], everyEvent["run.paused"], everyEvent["run.started"]);
    expect([...later.items.all.values()].filter(needsPerson)).toEqual([]);
    const stalled: DurableEvent = { ...everyEvent["run.ended"], result: { ...result, status: "stalled" } };
    expect([...tree(everyEvent["session.opened"], stalled).items.all.values()]).toMatchObject([{ kind: "stall" }]);
  });

  test("D6, 003.26: a child that did not succeed is an item with its reason, also one that was waited for", () => {
    const failed = { ...everyEvent["child.ended"], status: "failed", summary: "", reason: "the model is overloaded" };
    for (const background of [true, false]) {
      const { items } = tree(everyEvent["session.opened"], { ...everyEvent["child.started"], background }, failed);
      expect([...items.all.values()]).toMatchObject([{ kind: "result", text: "failed: the model is overloaded" }]);
    }
    const quiet = tree(
      everyEvent["session.opened"],
      { ...everyEvent["child.started"], background: false },
      everyEvent["child.ended"],
    );
    expect([...quiet.items.all.values()]).toEqual([]);
  });

  test("D6: a budget at which several runs stand is one item, until the tree goes on", () => {
    const state = tree(everyEvent["session.opened"], everyEvent["run.paused"], everyEvent["run.paused"]);
    expect([...state.items.all.values()].filter(needsPerson)).toMatchObject([{ kind: "budget" }]);
    const paused = everyEvent["run.paused"];
    const again = tree(everyEvent["session.opened"], paused, paused, everyEvent["run.started"], paused);
    expect([...again.items.all.values()].filter(needsPerson)).toHaveLength(1);
    expect(again.items.all.size).toBe(2);
  });

  test("D6: an item says what its agent was given to do, bounded", () => {
    const input = { ...everyEvent["input.admitted"], content: [{ type: "text" as const, text: "x".repeat(900) }] };
    const { items } = tree(everyEvent["session.opened"], input, everyEvent["input.promoted"], added);
    expect(openItems(items)[0]?.task).toMatch(/^x{199}…$/);
  });

  test("P.B12: what was typed before an item was asked or shown is no answer to it", () => {
    const at = 1_000;
    expect(isBlind({ at }, { shownAt: 1_000, typedAt: 1_000 })).toBe(false);
    expect(isBlind({ at }, { shownAt: 1_200, typedAt: 1_500 })).toBe(false);
    for (const [shownAt, typedAt] of [
      [999, 1_500],
      [1_200, 1_199],
      [1_200, 900],
      [Number.NaN, 1_500],
      [1_200, Number.NaN],
    ])
      expect(isBlind({ at }, { shownAt: shownAt!, typedAt: typedAt! }), `${shownAt} ${typedAt}`).toBe(true);
  });

  test("an answer that comes while nothing runs is no time of the run", () => {
    const state = tree(everyEvent["session.opened"], everyEvent["run.started"], added, answered);
    expect(state.sessions.get(lead)?.changedAt).toBe(1_002);
  });

  test("the same call has the same item after a crash, other bytes another", () => {
    const id = (command: string, session = lead) =>
      itemId(session, call, approvalBytes({ tool: "Bash", input: { command } }));
    expect(id("ls")).toBe(id("ls"));
    expect(id("ls")).toMatch(/^item-[0-9a-f]{12}$/);
    expect(id("ls ")).not.toBe(id("ls"));
    expect(id("ls", "agent-2" as SessionId)).not.toBe(id("ls"));
    const many = new Set(Array.from({ length: 20_000 }, (_, n) => id(`touch ${n}`)));
    expect(many.size).toBe(20_000);
  });

  test.each([
    ["approval", "yes", { allow: true }],
    ["approval", " Y ", { allow: true }],
    ["approval", "no", { allow: false }],
    ["approval", "no not in main", { allow: false, reason: "not in main" }],
    ["approval", "yes please", { problem: "an approval is answered with yes, with always, or with no and a reason" }],
    ["approval", "nothing", { problem: "an approval is answered with yes, with always, or with no and a reason" }],
    ["question", "the blue one", { text: "the blue one" }],
    ["question", "2", { text: "green" }],
    ["question", "7", { text: "7" }],
    ["question", " ", { problem: "a question needs words for an answer" }],
    ["result", "", { seen: true }],
  ] as const)("%s: %j means %j", (kind, words, meant) => {
    expect(answerFrom({ kind, options: ["blue", "green"] }, words)).toEqual(meant);
  });

  test("an answer in words", () => {
    expect([{ allow: true as const }, { allow: false as const, reason: "r" }, { text: "t" }].map(answerText)).toEqual([
      "yes",
      "no: r",
      "t",
    ]);
  });
});
