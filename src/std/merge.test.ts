import { describe, expect, test } from "vitest";
import { merge } from "./merge.ts";

async function* source(name: string, log: string[], gate?: Promise<void>): AsyncGenerator<string, void, string> {
  const answer = yield `${name}.started`;
  log.push(`${name} begins after ${answer}`);
  await gate;
  yield `${name}.ended`;
}

describe("merge", () => {
  test("a source does its work only after its event was taken, and gets the answer to its own event", async () => {
    const log: string[] = [];
    const merged = merge([source("a", log), source("b", log)]);
    const first = await merged.next();
    expect(first.value).toBe("a.started");
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(log).toEqual([]);
    const second = await merged.next("seq 1");
    expect(second.value).toBe("b.started");
    const rest: string[] = [];
    for (let step = await merged.next("seq 2"); !step.done; step = await merged.next("later")) rest.push(step.value);
    expect(log).toEqual(["a begins after seq 1", "b begins after seq 2"]);
    expect(rest.sort()).toEqual(["a.ended", "b.ended"]);
  });

  test("a source that waits does not hold up the others", async () => {
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    const merged = merge([source("slow", [], gate), source("quick", [])]);
    const seen: string[] = [];
    for (let step = await merged.next("ok"); !step.done; step = await merged.next("ok")) {
      seen.push(step.value);
      if (step.value === "quick.ended") open();
    }
    expect(seen).toEqual(["slow.started", "quick.started", "quick.ended", "slow.ended"]);
  });

  test("a failing source fails the whole and the others are closed", async () => {
    let closed = false;
    async function* waits(): AsyncGenerator<string, void, string> {
      try {
        yield "waits";
        yield "never taken";
      } finally {
        closed = true;
      }
    }
    async function* fails(): AsyncGenerator<string, void, string> {
      yield "fails";
      throw new Error("broken source");
    }
    const merged = merge([waits(), fails()]);
    await expect(
      (async () => {
        for (let step = await merged.next("x"); !step.done; step = await merged.next("x"));
      })(),
    ).rejects.toThrow("broken source");
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(closed).toBe(true);
  });
});
