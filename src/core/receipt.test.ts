import { describe, expect, test } from "vitest";
import { countCall, countOutcome, newTally, receiptOf } from "./receipt.ts";
import type { Facts } from "./tool-outcome.ts";

const receipt = (facts: readonly Facts[], output = "") => {
  const tally = newTally();
  for (const one of facts) {
    countCall(tally, "Tool");
    countOutcome(tally, { ok: true, said: [], facts: one });
  }
  return receiptOf(tally, ["p/m"], output);
};

describe("X3: a receipt", () => {
  test("sums several changes of one file into one, from how it was to how it is", () => {
    const file = (change: "created" | "changed", hash: string, added: number, removed: number): Facts => ({
      files: [{ path: "/a", change, hash, added, removed, before: null, after: "x", mode: 0o644 }],
    });
    expect(receipt([file("created", "h1", 10, 0), file("changed", "h2", 2, 3)]).files).toEqual([
      { path: "/a", change: "created", hash: "h2", added: 12, removed: 3 },
    ]);
  });

  test("tells a command in the background once, with the code it ended with", () => {
    const command = (exitCode: number | null): Facts => ({ command: { text: "make", exitCode, shell: "s1" } });
    expect(receipt([command(null), command(2)]).commands).toEqual([{ command: "make", exitCode: 2 }]);
  });

  test("lists reads, searches and fetches without repeating them", () => {
    const read = { read: { path: "/a" } };
    expect(
      receipt([read, read, { search: { tool: "Grep", pattern: "x" } }, { fetched: { url: "u", status: 200 } }]),
    ).toMatchObject({
      reads: ["/a"],
      searches: ["Grep x"],
      fetches: ["u (200)"],
    });
  });

  test.each([
    ["I have fixed the bug.", true],
    ["All tests pass.", true],
    ["The bug is in a.ts, line 3.", false],
  ])("flags a claim of work without calls: %s", (output, flagged) => {
    expect(receipt([], output).flags.length > 0).toBe(flagged);
    expect(receipt([{}], output).flags).toEqual([]);
  });
});
