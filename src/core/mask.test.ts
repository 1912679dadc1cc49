import { describe, expect, test } from "vitest";
import { createMask } from "./mask.ts";

const key = "sk-ant-0123456789";
const mask = createMask([{ name: "ANTHROPIC_API_KEY", value: key }]);

describe("P.X02: a known secret is replaced wherever it stands", () => {
  test.each([
    ["alone", key, "[masked ANTHROPIC_API_KEY]"],
    ["twice", `${key} and ${key}`, "[masked ANTHROPIC_API_KEY] and [masked ANTHROPIC_API_KEY]"],
    ["in a header", `x-api-key: ${key}\n`, "x-api-key: [masked ANTHROPIC_API_KEY]\n"],
    ["with escaped characters", String.raw`{"k":"sk\u002Dant\u002d0123456789"}`, `{"k":"[masked ANTHROPIC_API_KEY]"}`],
  ])("%s", (_, text, shown) => {
    expect(mask.text(text)).toBe(shown);
  });

  test("in every form that a key with special characters takes in JSON and in an address", () => {
    const odd = 'p@ss"wörd/\\9';
    const own = createMask([{ name: "X", value: odd }]);
    const forms = [
      odd,
      JSON.stringify(odd),
      JSON.stringify(JSON.stringify(odd)),
      encodeURIComponent(odd),
      JSON.stringify(odd).replaceAll("/", "\\/"),
    ];
    for (const form of forms) expect(own.text(`<${form}>`)).toMatch(/^<[\\"]*\[masked X\][\\"]*>$/);
  });

  test("in values and names of fields, however deep, and the rest stays the same object", () => {
    const plain = { a: [1, { b: "nothing" }] };
    const event = { type: "x", input: { [key]: 1, list: [plain, `a ${key}`] }, plain };
    const masked = mask.json(event);
    expect(JSON.stringify(masked)).toBe(JSON.stringify(event).replaceAll(key, "[masked ANTHROPIC_API_KEY]"));
    expect(masked.plain).toBe(plain);
    expect(event.input[key]).toBe(1);
  });

  test("one that contains another is replaced whole", () => {
    const both = createMask([
      { name: "SHORT", value: "abcdefgh" },
      { name: "LONG", value: "abcdefgh-more" },
    ]);
    expect(both.text("abcdefgh-more abcdefgh")).toBe("[masked LONG] [masked SHORT]");
  });

  test("one that comes later counts from then on", () => {
    const later = createMask();
    expect(later.text(key)).toBe(key);
    later.add({ name: "apiKeyCommand", value: key });
    expect(later.text(key)).toBe("[masked apiKeyCommand]");
  });
});

test("what has no secret in it comes back as it is, and short values are no secrets", () => {
  const event = { type: "text", text: "nothing here", n: [1, null, true] };
  expect(mask.json(event)).toBe(event);
  const short = createMask([{ name: "X", value: "short" }]);
  expect(short.text("this is short")).toBe("this is short");
});

test("a secret in deeply nested data costs no more than the data", () => {
  let nested: unknown = key;
  for (let depth = 0; depth < 500; depth++) nested = { in: nested };
  expect(JSON.stringify(mask.json(nested))).not.toContain(key);
});

test.each([
  ["sk-ant-0", 8],
  ["it is sk-", 3],
  ["it is s", 1],
  ["nothing", 0],
  [key, 0],
])("%j may end in the first %i characters of the secret", (text, held) => {
  expect(mask.held(text)).toBe(held);
});
