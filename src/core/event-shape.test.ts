import { describe, expect, test } from "vitest";
import type { Recorded } from "./events.ts";
import { everyEvent } from "./event-shape-test-kit.ts";
import { isSound } from "./event-shape.ts";
import { findText } from "./found-text.ts";
import { isObject } from "./json.ts";
import { foldTree, newTree } from "./tree-state.ts";

const events = Object.values(everyEvent);
const envelope = { v: 1, time: 1, epoch: 1, session: "agent-1", path: "ROOT" };
const recorded = (list: readonly object[]): Recorded[] =>
  list.map((event, at) => ({ ...envelope, seq: at + 1, ...event }) as unknown as Recorded);

/** The event once for each of its fields, however deep: without it, under another name, and with another value. */
function* damaged(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const [at, one] of value.entries()) for (const bad of damaged(one)) yield value.with(at, bad);
    return;
  }
  if (!isObject(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    const { [name]: _, ...rest } = value;
    yield rest;
    yield { ...rest, [`${name}x`]: inner };
    for (const bad of [null, 7, "x", [], {}, [null]]) yield { ...value, [name]: bad };
    for (const bad of damaged(inner)) yield { ...value, [name]: bad };
  }
}

describe("P.D05: the fields of a record", () => {
  test.each(events)("of a $type as it is written are sound", (event) => {
    expect(isSound(event)).toBe(true);
  });

  test("of types that are not known are not judged", () => {
    expect(isSound({ type: "moon.risen" })).toBe(true);
    expect(isSound({ type: "toString" })).toBe(true);
  });

  test.each(events)(
    "of a $type: whatever one of them is, it is found unsound or can be folded and searched",
    (event) => {
      const all = ([...damaged(event)] as (typeof event)[]).filter((bad) => typeof bad.type === "string");
      const sound = all.filter(isSound);
      expect(sound.length).toBeLessThan(all.length);
      for (const bad of sound)
        expect(() => {
          const tree = newTree();
          for (const one of recorded(events.map((other) => (other === event ? bad : other)))) {
            foldTree(tree, one);
            findText(one, "zz");
          }
        }, JSON.stringify(bad)).not.toThrow();
    },
  );

  test.each([
    ["assistant.replied", "usage"],
    ["assistant.replied", "content"],
    ["session.opened", "permissions"],
    ["tool.ended", "outcome"],
    ["run.ended", "result"],
  ] as const)("of a %s without its %s are unsound", (type, name) => {
    const { [name]: _, ...rest } = everyEvent[type] as unknown as Record<string, unknown>;
    expect(isSound({ type, ...rest })).toBe(false);
  });
});
