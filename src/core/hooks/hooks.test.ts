// Hooks as tables: who a matcher takes, what an answer means, how several are one, what a configuration says.
import { describe, expect, test } from "vitest";
import type { HookEnd } from "./hook-answer.ts";
import { HOOK_EVENTS, type HookEvent } from "./hook-events.ts";
import { matcher } from "./matcher.ts";
import { mergeMeanings } from "./merge-meanings.ts";
import { readAnswer } from "./read-answer.ts";
import { readHooks } from "./read-hooks.ts";

const exit = (code: number, stdout = "", stderr = ""): HookEnd => ({ is: "exited", code, stdout, stderr });
const json = (value: object, code = 0): HookEnd => exit(code, JSON.stringify(value));

describe("B15: a matcher takes what Claude Code's takes", () => {
  test.each([
    ["", "Bash", true],
    ["*", "Bash", true],
    ["Bash", "Bash", true],
    ["Bash", "BashOutput", false],
    ["bash", "Bash", false],
    ["Edit|Write", "Write", true],
    ["Edit, Write", "Write", true],
    ["Edit|Write", "Read", false],
    ["Edit.*", "MultiEdit", true],
    ["^Edit$", "MultiEdit", false],
    ["mcp__memory", "mcp__memory__get", false],
    ["mcp__memory__.*", "mcp__memory__get", true],
    ["my-plugin:rev", "my-plugin:reviewer", true],
    ["Task", "spawn_subagent", true],
    ["Agent", "spawn_subagent", true],
    ["spawn_subagent", "spawn_subagent", true],
    ["Task", "TaskOutput", false],
    ["^Ta", "spawn_subagent", true],
  ])("%j and %s: %s", (pattern, name, takes) => {
    const made = matcher(pattern);
    expect(typeof made === "function" && made(name)).toBe(takes);
  });

  test("one that is no expression is a problem, not a crash", () => {
    expect(matcher("(")).toEqual({ problem: expect.stringContaining("no regular expression") });
  });
});

describe("B15: what a hook meant", () => {
  const own = (fields: object) => json({ hookSpecificOutput: fields });
  test.each<[string, HookEvent, HookEnd, object]>([
    ["but they are at a prompt", "UserPromptSubmit", exit(0, "mind the gap\n"), { context: "mind the gap" }],
    ["and at the start", "SessionStart", exit(0, "hello"), { context: "hello" }],
    ["exit 2 denies with stderr", "PreToolUse", exit(2, "", "no\n"), { permission: "deny", reason: "no" }],
    ["and JSON cannot change that", "PreToolUse", exit(2, '{"decision":"approve"}', "no"), { permission: "deny" }],
    ["exit 2 holds a prompt back", "UserPromptSubmit", exit(2, "", "no"), { block: "no" }],
    ["exit 2 holds an end back", "Stop", exit(2, "", "test first"), { block: "test first" }],
    ["exit 2 after a tool tells the model", "PostToolUse", exit(2, "", "lint"), { context: "lint" }],
    ["exit 2 cannot hold a spawn", "SubagentStart", exit(2, "", "no"), { notes: [expect.stringContaining("cannot")] }],
    ["nor an end of a child", "SubagentStop", exit(2, "", "no"), { notes: [expect.stringContaining("cannot")] }],
    ["exit 1 is told", "PreToolUse", exit(1, "", "oops"), { notes: ["it ended with exit code 1: oops"] }],
    ["but its JSON decides", "PreToolUse", json({ decision: "block", reason: "r" }, 1), { permission: "deny" }],
    [
      "deny",
      "PreToolUse",
      own({ permissionDecision: "deny", permissionDecisionReason: "r" }),
      { permission: "deny", reason: "r" },
    ],
    ["ask", "PreToolUse", own({ permissionDecision: "ask" }), { permission: "ask" }],
    ["allow", "PreToolUse", own({ permissionDecision: "allow" }), { permission: "allow" }],
    ["of old: approve", "PreToolUse", json({ decision: "approve" }), { permission: "allow" }],
    [
      "an unknown word is told",
      "PreToolUse",
      own({ permissionDecision: "maybe" }),
      { notes: ["its decision is none that is known"] },
    ],
    ["new input", "PreToolUse", own({ updatedInput: { a: 1 } }), { updatedInput: { a: 1 } }],
    [
      "new input that is none",
      "PreToolUse",
      own({ updatedInput: "x" }),
      { notes: ["updatedInput in its answer is not an object"] },
    ],
    ["more for the model", "PostToolUse", own({ additionalContext: "c" }), { context: "c" }],
    ["block after a tool", "PostToolUse", json({ decision: "block", reason: "r" }), { context: "r" }],
    ["block at the end", "Stop", json({ decision: "block", reason: "r" }), { block: "r" }],
    ["a request allowed", "PermissionRequest", own({ decision: { behavior: "allow" } }), { permission: "allow" }],
    [
      "a request denied",
      "PermissionRequest",
      own({ decision: { behavior: "deny", message: "m" } }),
      { permission: "deny", reason: "m" },
    ],
    ["the run ends", "PostToolUse", json({ continue: false, stopReason: "enough" }), { stop: "enough" }],
    ["words for the person", "PostToolUse", json({ systemMessage: "look" }), { notes: ["look"] }],
    ["garbage that begins like JSON", "PreToolUse", exit(0, "{{{{"), { notes: ["what it printed is not JSON"] }],
    ["a list is no answer", "Stop", { is: "returned", answer: [1] }, { notes: ["its answer is not a JSON object"] }],
    ["a breakdown is told", "PreToolUse", { is: "broke", why: "it was lost" }, { notes: ["it was lost"] }],
    [
      "a number for a reason",
      "Stop",
      json({ decision: "block", reason: 5 }),
      { block: "it gave no reason", notes: ["reason in its answer is not a text"] },
    ],
  ])("%s", (_, event, end, meant) => {
    expect(readAnswer(event, end)).toMatchObject(meant);
  });

  test.each<[string, HookEvent, HookEnd]>([
    ["exit 0 says nothing", "PreToolUse", exit(0)],
    ["plain words are not for the model", "PreToolUse", exit(0, "fine")],
    ["defer decides nothing", "PreToolUse", own({ permissionDecision: "defer" })],
    ["a function that returns nothing", "Stop", { is: "returned", answer: undefined }],
  ])("%s: nothing", (_, event, end) => {
    expect(readAnswer(event, end)).toEqual({ notes: [] });
  });

  test("what is long is cut", () => {
    const { context = "" } = readAnswer("SessionStart", exit(0, "x".repeat(50_000)));
    expect(context.length).toBeLessThan(10_100);
  });

  test("anything at all is an answer for every event", () => {
    const odd = [
      "",
      "{}",
      "null",
      "[]",
      "{",
      '{"hookSpecificOutput":7}',
      '{"decision":{}}',
      "\u0000\uffff",
      '{"continue":"no"}',
    ];
    for (const event of HOOK_EVENTS)
      for (const stdout of odd)
        for (const code of [0, 1, 2, 127, 255])
          expect(readAnswer(event, exit(code, stdout)).notes).toBeInstanceOf(Array);
  });
});

test("B15: several hooks are one decision: deny over ask over allow, with all its reasons", () => {
  const says = (permission: "deny" | "ask" | "allow", reason: string) => ({ permission, reason, notes: [] });
  expect(mergeMeanings([says("allow", "a"), says("ask", "b")]).permission).toEqual({ is: "ask", because: "b" });
  expect(mergeMeanings([says("deny", "a"), says("allow", "b"), says("deny", "c")]).permission).toEqual({
    is: "deny",
    because: "a; c",
  });
  const changed = [
    { updatedInput: { n: 1 }, notes: [] },
    { updatedInput: { n: 2 }, notes: [] },
  ];
  expect(mergeMeanings(changed).updatedInput).toEqual({ n: 2 });
  expect(mergeMeanings([...changed, says("deny", "no")])).not.toHaveProperty("updatedInput");
  expect(mergeMeanings([])).toEqual({ context: [] });
});

describe("B15: a configuration's hooks", () => {
  const command = { type: "command", command: "true" };
  test("are read with their matchers, limits and arguments", () => {
    const { set, problems } = readHooks(
      {
        PreToolUse: [
          {
            matcher: "Bash",
            hooks: [
              { ...command, timeout: 5 },
              { command: "a b", args: ["it's"] },
            ],
          },
        ],
      },
      "config",
    );
    expect(problems).toEqual([]);
    expect(set.PreToolUse?.[0]?.handlers).toMatchObject([
      { run: { kind: "command", command: "true" }, timeoutMs: 5_000 },
      { run: { command: `'a b' 'it'\\''s'` } },
    ]);
  });

  test("of a definition: Stop is the end of that child, and scope says how far they act", () => {
    const read = readHooks({ scope: "all", Stop: [{ hooks: [command] }] }, "definition");
    expect(read).toMatchObject({
      everywhere: true,
      problems: [],
      set: { SubagentStop: [{ handlers: [{ name: "true" }] }] },
    });
    expect(readHooks({ Stop: [{ hooks: [command] }] }, "config").set).toHaveProperty("Stop");
  });

  test.each<[unknown, string]>([
    ["x", "hooks must be an object of events"],
    [{ PreTooluse: [] }, "did you mean PreToolUse?"],
    [{ Stop: {} }, "hooks.Stop must be a list"],
    [{ Stop: [{}] }, 'hooks.Stop[0] needs "hooks", a list'],
    [{ Stop: [{ matcher: "(", hooks: [] }] }, "no regular expression"],
    [{ Stop: [{ hooks: [{ type: "prompt", prompt: "x" }] }] }, 'has the type "prompt"; only "command" is known'],
    [{ Stop: [{ hooks: [{ type: "command" }] }] }, 'needs "command", a text'],
    [{ Stop: [{ hooks: [{ ...command, timeout: -1 }] }] }, "a timeout that is not a number of seconds"],
    [{ Stop: [{ hooks: [{ ...command, if: "Bash(x)" }] }] }, 'has an "if"'],
  ])("%j is a problem in one line", (value, words) => {
    const { problems, set } = readHooks(value, "config");
    expect(problems).toEqual([expect.stringContaining(words)]);
    expect(Object.values(set).flat()).toEqual([]);
  });
});
