import { describe, expect, test } from "vitest";
import { createMask } from "./mask.ts";
import { effectKey, forgetUnknown, isUnknown } from "./unknown-calls.ts";

const key = 'sk-ant-"0123\\456789';
const mask = createMask([{ name: "KEY", value: key }]);
const bash = (command: string, more: object = {}) => ({ tool: "Bash", input: { command, ...more } });

describe("P.D02: a call whose outcome is unknown", () => {
  const recorded = (command: string) => ({ unknown: new Set([effectKey(mask.json(bash(command)))]) });

  test("is the same call however it is described, ordered or waited for", () => {
    const state = { unknown: new Set([effectKey(bash("make", { description: "Build", timeout: 5 }))]) };
    expect(isUnknown(state, bash("make", { description: "Try it again" }))).toBe(true);
    expect(isUnknown(state, bash("make"))).toBe(true);
    expect(isUnknown(state, bash("make clean"))).toBe(false);
    expect(isUnknown(state, { tool: "Other", input: { command: "make" } })).toBe(false);
    expect(effectKey({ tool: "T", input: { a: 1, b: 2 } })).toBe(effectKey({ tool: "T", input: { b: 2, a: 1 } }));
    expect(effectKey({ tool: "T", input: { a: 1 } })).not.toBe(effectKey({ tool: "T", input: { a: 2 } }));
  });

  test("is recognised with the real secret where the record has a mask, and nothing else is", () => {
    const state = recorded(`curl -H ${key} x; echo ${key} > out`);
    expect([...state.unknown].join()).not.toContain(key);
    expect(isUnknown(state, bash(`curl -H ${key} x; echo ${key} > out`))).toBe(true);
    expect(isUnknown(state, bash(`curl -H ${key} y; echo ${key} > out`))).toBe(false);
    expect(isUnknown(state, bash(`curl -H ${key} x`))).toBe(false);
    expect(isUnknown(recorded(key), bash(key))).toBe(true);
  });

  test("is known again when the call has had its result, with the secret too", () => {
    const state = recorded(`echo ${key}`);
    forgetUnknown(state.unknown, effectKey(bash("echo")));
    expect(state.unknown.size).toBe(1);
    forgetUnknown(state.unknown, effectKey(bash(`echo ${key}`)));
    expect(state.unknown.size).toBe(0);
  });
});
