import { describe, expect, test } from "vitest";
import { largestPart, planCompaction, transcriptOf } from "./context.ts";
import type { CallId } from "./ids.ts";
import { type Message, text } from "./messages.ts";

const user = (words: string): Message => ({ role: "user", content: [text(words)] });
const turn = (n: number, size: number): Message[] => [
  { role: "assistant", content: [{ type: "call", call: `c${n}` as CallId, tool: "Read", input: { n } }] },
  {
    role: "tool",
    results: [{ call: `c${n}` as CallId, tool: "Read", content: [text("x".repeat(size))], failed: false }],
  },
];

describe("compaction", () => {
  test("what is kept never begins with a result whose call is gone", () => {
    for (let size = 0; size < 4_000; size += 97) {
      const messages = [user("task"), ...Array.from({ length: 12 }, (_, n) => turn(n, size + n * 13)).flat()];
      for (const attempt of [0, 1, 2]) {
        const plan = planCompaction(messages, 0, 4_000, attempt);
        if (!plan) continue;
        expect(messages[messages.length - plan.keep]?.role).not.toBe("tool");
        expect(plan.replaced.length + plan.keep).toBe(messages.length);
      }
    }
  });

  test("each further attempt keeps less, the last keeps nothing, a fourth is refused", () => {
    const messages = [user("task"), ...Array.from({ length: 30 }, (_, n) => turn(n, 500)).flat()];
    const keeps = [0, 1, 2].map((attempt) => planCompaction(messages, 0, 20_000, attempt)?.keep ?? -1);
    expect(keeps[0]).toBeGreaterThan(keeps[1]!);
    expect(keeps[2]).toBe(0);
    expect(planCompaction(messages, 0, 20_000, 3)).toBe(undefined);
  });

  test("one message alone cannot be made smaller", () => {
    expect(planCompaction([user("x".repeat(100_000))], 50_000, 10_000, 0)).toBe(undefined);
  });

  test("a transcript is bounded and keeps its beginning and its end", () => {
    const messages = [
      user("the task"),
      ...Array.from({ length: 400 }, (_, n) => turn(n, 3_000)).flat(),
      user("the last word"),
    ];
    const transcript = transcriptOf(messages, 20_000);
    expect(transcript.length).toBeLessThanOrEqual(20_000);
    expect(transcript).toContain("the task");
    expect(transcript).toContain("the last word");
  });

  test("P.L07: the largest part is named", () => {
    expect(largestPart("short", [user("a"), ...turn(1, 90_000)])).toBe(
      "the results of a tool call (number 3 of 3), about 90 kB",
    );
    expect(largestPart("s".repeat(5_000), [user("a")])).toBe("the system prompt, about 5 kB");
  });
});
