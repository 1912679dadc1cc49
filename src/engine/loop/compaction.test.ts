import { describe, expect, test } from "vitest";
import { engine } from "../../../test/engine-harness.ts";
import { scripted } from "../../testing/scripted-model.ts";
import { calls, fails, says } from "../../testing/wire-server/script.ts";

const bigUsage = { inputTokens: 170_000, outputTokens: 10 };

describe("compaction", () => {
  test("near the window the older part becomes a summary, as one event, and the task is not forgotten", async () => {
    const model = scripted([
      calls("Read", { file_path: "a.txt" }, { usage: bigUsage }),
      says("SUMMARY: a.txt says alpha"),
      says("done"),
    ]);
    const e = engine({ model });
    expect(await e.ask("the original task")).toMatchObject({ status: "succeeded", output: "done" });
    model.finish();
    expect(e.types().filter((type) => type === "context.compacted")).toHaveLength(1);
    const shown = JSON.stringify(model.requests[2]?.messages);
    expect(shown).toContain("SUMMARY: a.txt says alpha");
    expect(shown).toContain("the original task");
    expect(model.requests[2]?.messages[0]?.role).toBe("user");
  });

  test("the task is kept whole through one compaction after the other", async () => {
    const task = `do this: ${Array.from({ length: 60 }, (_, n) => `requirement ${n}`).join(", ")}`;
    const turn = () => calls("Read", { file_path: "a.txt" }, { usage: bigUsage });
    const model = scripted([turn(), says("sum 1"), turn(), says("sum 2"), turn(), says("sum 3"), says("done")]);
    const e = engine({ model });
    expect((await e.ask(task)).status).toBe("succeeded");
    const last = JSON.stringify(model.requests.at(-1)?.messages);
    expect(last).toContain("requirement 0,");
    expect(last).toContain("requirement 59");
  });

  test("P.L07: a turn that was compacted before it was sent has only two left", async () => {
    const model = scripted([
      calls("Read", { file_path: "a.txt" }, { usage: bigUsage }),
      ...Array.from({ length: 12 }, (_, n) => (n % 2 === 0 ? says(`sum ${n}`) : fails("overflow"))),
    ]);
    const e = engine({ model });
    expect((await e.ask("task")).error?.code).toBe("overflow");
    expect(e.types().filter((type) => type === "context.compacted").length).toBeLessThanOrEqual(3);
  });

  test("a summary that fails does not end the run: a rough cut takes its place", async () => {
    const model = scripted([
      calls("Read", { file_path: "a.txt" }, { usage: bigUsage }),
      fails("bad-request"),
      says("done"),
    ]);
    expect(await engine({ model }).ask("task")).toMatchObject({ status: "succeeded", output: "done" });
  });

  test("P.L07: overflow on every turn is compacted at most three times, never sent twice alike, then named", async () => {
    const model = scripted(Array.from({ length: 12 }, () => fails("overflow")));
    const e = engine({ model, window: 30_000 });
    await e.send("do it: " + "y".repeat(40_000));
    await e.send("and that: " + "z".repeat(40_000));
    const result = await (await e.start()).result;
    expect(result).toMatchObject({ status: "failed", error: { code: "overflow" } });
    expect(result.error?.message).toMatch(/largest: .* about \d+ kB/);
    expect(e.types().filter((type) => type === "context.compacted").length).toBeLessThanOrEqual(3);
    const sent = model.requests.map((request) => JSON.stringify(request));
    expect(new Set(sent).size).toBe(sent.length);
  });
});
