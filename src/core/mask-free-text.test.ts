import { describe, expect, test } from "vitest";
import { everyEvent } from "./event-shape-test-kit.ts";
import { isSound } from "./event-shape.ts";
import { maskFreeText } from "./mask-free-text.ts";
import { createMask, hasMask } from "./mask.ts";

const maskOf = (value: string) => createMask([{ name: "KEY", value }]);

describe("P.X02: masking an event", () => {
  test.each(Object.values(everyEvent))("leaves a $type without a secret the same object", (event) => {
    expect(maskFreeText(maskOf("no-such-secret"), event)).toBe(event);
  });

  test.each(["anthropic", "confirm1", "/project/in/here", "agent-00000000", "interrupted"])(
    "never changes what the engine reads again, though the key is %s",
    (key) => {
      const mask = maskOf(key);
      const opened = {
        ...everyEvent["session.opened"],
        model: `${key}/x`,
        binding: { cwd: key, isolation: "shared", allowWrites: true },
        title: `about ${key}`,
      } as const;
      expect(maskFreeText(mask, opened)).toEqual({ ...opened, title: "about [masked KEY]" });
      for (const event of Object.values(everyEvent)) {
        const masked = maskFreeText(mask, { session: key, path: key, parent: key, ...event });
        expect(masked).toMatchObject({ session: key, path: key, parent: key, type: event.type });
        expect(isSound(masked)).toBe(true);
      }
    },
  );

  test("a key that is also the word for a state leaves the state", () => {
    const outcome = { ok: false, why: "interrupted", said: [{ type: "text", text: "interrupted" }] } as const;
    expect(maskFreeText(maskOf("interrupted"), { type: "tool.ended", outcome })).toEqual({
      type: "tool.ended",
      outcome: { ok: false, why: "interrupted", said: [{ type: "text", text: "[masked KEY]" }] },
    });
  });

  test("hides the secret in everything that was said, also where a field of a call is named like one of ours", () => {
    const key = "sk-ant-0123456789";
    const event = {
      ...everyEvent["assistant.replied"],
      content: [
        { type: "reasoning", text: key, by: "anthropic", opaque: { summary: [key] } },
        { type: "text", text: key },
        { type: "call", call: "c", tool: "Bash", input: { path: key, model: { [key]: key }, list: [key] } },
        { type: "bad-call", call: "c", tool: "Bash", raw: key, problem: key },
      ],
    };
    const ended = {
      ...everyEvent["tool.ended"],
      outcome: {
        ok: true,
        said: [{ type: "text", text: key }],
        facts: { files: [{ path: key }], read: { path: key } },
      },
    };
    const receipt = { commands: [{ command: key }], files: [{ path: key }], reads: [key], toolCalls: { Bash: 1 } };
    const run = { ...everyEvent["run.ended"], result: { output: key, error: { code: "x", message: key }, receipt } };
    const opened = { child: { system: key, task: key, deny: [{ tool: "Bash", spec: key }] }, title: key };
    for (const one of [event, ended, run, opened])
      expect(JSON.stringify(maskFreeText(maskOf(key), one))).not.toContain(key);
  });
});

test("a mask is recognised, whatever its secret is called", () => {
  const odd = createMask([{ name: 'a]"b\\\nc', value: "0123456789" }]);
  expect(hasMask(JSON.stringify({ command: odd.text("echo 0123456789") }))).toBe(true);
  expect(hasMask("echo [masked] masked x")).toBe(false);
});
