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
        const masked = maskFreeText(mask, { session: key, path: "ROOT::S12", parent: key, ...event });
        expect(masked).toMatchObject({ session: key, path: "ROOT::S12", parent: key, type: event.type });
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

/** Where only the engine, or the person's own configuration, puts a value: everything else may come from anybody. */
const ENGINE_MADE =
  /(^|\.)(type|session|parent|run|childPath|agent|capability|protocol|mode|status|version|trigger|from|how|kind|finish|code|by|transcript|effort|item|to|may|approvals|role)$|\.(binding\.\w+|addDirs\.\d+|tools\.\d+)$|^(input\.\w+|child\.\w+|tool\.\w+|hook\.\w+)\.(input|child)$|^run\.\w+\.result\.model$|^(session\.opened|settings\.changed|turn\.started)\.model$/;
const SECRETS = [
  "correct-horse-battery",
  "ghp_0123456789abcdefghijABCDEFGHIJ012345",
  "sk-ant-api03-0123456789abcdefABCDEF",
];

describe("P.X02: a secret in any place of any event", () => {
  const mask = createMask([{ name: "KEY", value: SECRETS[0]! }]);
  const events = [
    ...Object.values(everyEvent),
    {
      ...everyEvent["session.opened"],
      history: {
        from: "agent-1",
        messages: [{ role: "tool", results: [{ call: "c", tool: "t", content: [], failed: false }] }],
      },
      child: { system: "s", task: "t", name: "n", deny: [{ tool: "Bash", spec: "x" }] },
      spawnedBy: { session: "agent-1", call: "c" },
      definition: { name: "d", prompt: "p", metadata: { a: "b" }, mcpServers: [{ command: "c", env: { A: "b" } }] },
    },
    {
      ...everyEvent["tool.ended"],
      outcome: { ok: true, said: [], facts: { artifact: "a" }, ends: { output: "o", structured: { a: "b" } } },
    },
  ];
  const places = events.flatMap((event) =>
    stringsOf(event).map((place) => [`${event.type}.${place.join(".")}`, event, place] as const),
  );
  const open = places.filter(([name]) => !ENGINE_MADE.test(name));

  test.each(open)("%s", (_, event, place) => {
    for (const secret of SECRETS)
      for (const planted of [secret, `a ${secret} b`, `\u001b]0;${secret}\u0007`])
        expect(JSON.stringify(maskFreeText(mask, planting(event, place, planted)))).not.toContain(secret);
  });

  test("most places are of this kind", () => expect(open.length).toBeGreaterThan(90));

  test("names of fields in free data are masked too, and ids stay different", () => {
    const [secret = ""] = SECRETS;
    const ids = [1, 2].map((n) => maskFreeText(mask, { type: "tool.ended", call: `${secret}-${n}` }).call);
    expect(ids[0]).not.toBe(ids[1]);
    expect(ids.join()).not.toContain(secret);
    for (const name of ["input", "facts", "details", "structured", "opaque", "toolCalls", "metadata"])
      expect(JSON.stringify(maskFreeText(mask, { type: "x", [name]: { [secret]: 1 } }))).not.toContain(secret);
  });
});

type Place = readonly (string | number)[];

function stringsOf(value: unknown, at: Place = []): Place[] {
  if (typeof value === "string") return [at];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => stringsOf(one, [...at, name]));
}

function planting(value: unknown, [first, ...rest]: Place, planted: string): unknown {
  if (first === undefined) return planted;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<string, unknown>;
  copy[first] = planting(copy[first], rest, planted);
  return copy;
}

test("a mask is recognised, whatever its secret is called", () => {
  const odd = createMask([{ name: 'a]"b\\\nc', value: "0123456789" }]);
  expect(hasMask(JSON.stringify({ command: odd.text("echo 0123456789") }))).toBe(true);
  expect(hasMask("echo [masked] masked x")).toBe(false);
});
