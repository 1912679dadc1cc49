// Results with a schema: which schemas are taken, which values fit, and what of a message counts as a result or a call.
import { describe, expect, test } from "vitest";
import type { Json } from "../json.ts";
import { callInText } from "./call-in-text.ts";
import { judgeMessage, judgeYield } from "./judge-result.ts";
import { linearPattern } from "./linear-pattern.ts";
import { readSchema } from "./result-schema.ts";
import { valueProblem } from "./value-problem.ts";

const schemaOf = (given: unknown) => {
  const read = readSchema(given);
  if ("problem" in read) throw new Error(read.problem);
  return read.schema;
};

describe("a schema that somebody wrote", () => {
  test.each<[string, unknown, unknown]>([
    [
      "references are put in place",
      { type: "object", properties: { a: { $ref: "#/$defs/A" } }, $defs: { A: { type: "string" } } },
      { type: "object", properties: { a: { type: "string" } } },
    ],
    [
      "so are the older definitions",
      { $ref: "#/definitions/a~1b", definitions: { "a/b": { enum: [1] } } },
      { enum: [1] },
    ],
    [
      "words beside a reference stay",
      { type: "object", properties: { a: { $ref: "#/$defs/A", description: "d" } }, $defs: { A: { type: "string" } } },
      { type: "object", properties: { a: { allOf: [{ type: "string" }], description: "d" } } },
    ],
    ["the type of properties is an object", { properties: {} }, { type: "object", properties: {} }],
    [
      "other dialects are understood",
      { type: "integer", nullable: true, minimum: 0, exclusiveMinimum: true, $schema: "x", "~refine": 1 },
      { type: ["integer", "null"], exclusiveMinimum: 0 },
    ],
  ])("X10: %s", (_what, given, schema) => {
    expect(readSchema(given)).toEqual({ schema });
  });

  const deep = (levels: number): unknown =>
    levels === 0 ? { type: "string" } : { type: "array", items: deep(levels - 1) };
  const laughs = Object.fromEntries(
    Array.from({ length: 12 }, (_, n) => [
      `a${n}`,
      { type: "object", properties: { x: { $ref: `#/$defs/a${n + 1}` }, y: { $ref: `#/$defs/a${n + 1}` } } },
    ]),
  );
  const circle: Record<string, unknown> = { type: "object" };
  circle["properties"] = { self: circle };
  test.each<[unknown, string]>([
    [[], "a schema is a JSON object"],
    [{}, "says nothing"],
    [{ type: "strng" }, "type must be one of object, array"],
    [{ type: "object", required: "a" }, "required must be a list"],
    [{ type: "object", properties: { a: { minLength: -1 } } }, "properties.a.minLength must be a whole number"],
    [{ $ref: "#" }, "recursive"],
    [{ type: "array", items: { $ref: "#" } }, "items.$ref leads back to itself"],
    [{ $ref: "https://example.com/s.json" }, "must lead into the same schema"],
    [{ $ref: "#/$defs/none" }, "leads nowhere"],
    [{ type: "string", pattern: "(" }, "pattern is no regular expression"],
    [{ type: "string", pattern: "(?=a)b" }, "look-around"],
    [{ type: "string", pattern: "((a{1,99}){1,99}){1,99}" }, "repeats too much"],
    [{ type: "object", patternProperties: { "^(a+)+$": {} } }, "use simpler ones"],
    [deep(200), "nested more than"],
    [{ ...(laughs["a0"] as object), $defs: { ...laughs, a12: { type: "string" } } }, "more than 2000 parts"],
    [{ type: "string", description: "x".repeat(70_000) }, "larger than 64 kB"],
    [circle, "no JSON"],
  ])("X10: %# is refused in one sentence, at once", (given, because) => {
    const began = performance.now();
    expect(readSchema(given)).toEqual({ problem: expect.stringContaining(because) as string });
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});

describe("a value", () => {
  const schema = schemaOf({
    type: "object",
    properties: {
      file: { type: "string", pattern: "^[a-z]+(-[a-z]+)*\\.ts$" },
      lines: { type: "array", items: { type: "integer", minimum: 1 } },
      kind: { enum: ["bug", "style"] },
      day: { type: "string", format: "date" },
    },
    required: ["file"],
    additionalProperties: false,
  });
  test.each<[Json, string]>([
    [{ file: "a-b.ts", lines: [1], kind: "bug", day: "2026-02-28" }, "it fits"],
    [{}, "the result must have required properties file"],
    [{ file: "A.ts" }, "file must match the pattern"],
    [{ file: "a.ts", lines: [0, 1.5] }, "lines.0 must be"],
    [{ file: "a.ts", kind: "typo" }, 'kind must be one of "bug", "style"'],
    [{ file: "a.ts", day: "2026-02-30" }, "day must match format"],
    [{ file: "a.ts", more: 1 }, "additional properties"],
    ["text", "the result must be object"],
  ])("X10: %j is told what is wrong with it", (value, problem) => {
    expect(valueProblem(schema, value) ?? "it fits").toContain(problem);
  });

  test("X10, P.U03: a pattern that would hang a backtracking matcher answers at once", () => {
    const evil = schemaOf({ type: "string", pattern: "^(a+)+$" });
    const began = performance.now();
    expect(valueProblem(evil, `${"a".repeat(20_000)}b`)).toContain("must match the pattern");
    expect(valueProblem(evil, "a".repeat(20_000))).toBeUndefined();
    expect(valueProblem(evil, "a".repeat(5_000_000))).toContain("too long");
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  test("patterns mean what they mean in JavaScript", () => {
    const patterns = [
      ...["^(a+)+$", "^[a-z]+(-[a-z]+)*$", "^\\d{4}-\\d\\d$", "foo|bar$", "^[\\w-.]+$", "a{2,3}?b", "\\bcat\\b"],
      ...["^$", "", "^(?<y>x|y)*z$", "[^\\]a]+", "\\u0041\\x42", "^\\p{L}+$", "x{0}y", "(ab){2}", "(a|)+b", "^.{3}$"],
      ...["{", "a{,2}", "\\/", "a\\.b", "(?:a|b|)c", "^(?:(?:x?){3})*y$"],
    ];
    const texts = [
      "",
      "a",
      "aaaa",
      "foo-bar",
      "foo--bar",
      "2024-01",
      "bar",
      "xbarx",
      "a.b",
      "aab",
      "ab",
      "a cat sat",
    ].concat([
      "concat",
      "xyz",
      "z",
      "]]",
      "AB",
      "über",
      "y",
      "xxxxy",
      "abab",
      "b",
      "abc",
      "😀bc",
      "{",
      "a{,2}",
      "\n",
      "a\n",
      "/",
    ]);
    for (const source of patterns) {
      const linear = linearPattern(source);
      if ("problem" in linear) throw new Error(source);
      for (const text of texts) expect(linear.test(text), `${source} on ${text}`).toBe(native(source).test(text));
    }
  });
});

function native(source: string): RegExp {
  try {
    return new RegExp(source, "u");
  } catch {
    return new RegExp(source);
  }
}

describe("a last message", () => {
  const schema = schemaOf({ type: "object", properties: { n: { type: "integer" } }, required: ["n"] });
  test.each([
    ['{"n":1}'],
    ['Here it is:\n```json\n{"n": 1}\n```\nDone.'],
    ['```ts\nconst {a} = b;\n```\nso\n```\n{"n": 1}\n```'],
    ['I found {"n": 1} in it.'],
  ])("X10: %j is a result", (message) => {
    expect(judgeMessage(schema, message)).toEqual({ fits: true, structured: { n: 1 }, output: '{"n":1}' });
  });
  test.each([
    ["The answer is one.", "no JSON"],
    ['{"n":1} or {"n":2}', "several"],
    ['```json\n{"n":1}\n```\n```json\n{"n":2}\n```', "several"],
    ['{"n":"one"}', "n must be integer"],
    ["if (a) { return [1]; }", "no JSON"],
  ])("X10: %j is none", (message, problem) => {
    expect(judgeMessage(schema, message)).toEqual({ fits: false, problem: expect.stringContaining(problem) as string });
  });
  test("X10: where a text is asked for, the message is it", () => {
    expect(judgeMessage(schemaOf({ enum: ["yes", "no"] }), " yes\n")).toMatchObject({ fits: true, structured: "yes" });
  });
  test.each<[Json]>([[{ n: 1 }], ['{"n":1}']])("X10: a yield takes %j under result", (result) => {
    expect(judgeYield(schema, { result })).toMatchObject({ fits: true, structured: { n: 1 } });
  });
  test("X10: a yield takes the value bare, and says what is missing", () => {
    expect(judgeYield(schema, { n: 1 })).toMatchObject({ fits: true, structured: { n: 1 } });
    expect(judgeYield(schema, { result: {} })).toEqual({
      fits: false,
      problem: "the result must have required properties n",
    });
  });
});

describe("a call written as text", () => {
  const isTool = (name: string): boolean => ["Read", "Bash", "yield_to_parent"].includes(name);
  test.each([
    ['yield_to_parent("all done")', "yield_to_parent"],
    ['I am done.\n\nyield_to_parent(result="x (y)")', "yield_to_parent"],
    ["<yield_to_parent>\nmy report", "yield_to_parent"],
    [
      '<function_calls>\n<invoke name="Bash">\n<parameter name="command">ls</parameter>\n</invoke>\n</function_calls>',
      "Bash",
    ],
    ['<tool_call>\n{"name": "Read", "arguments": {"file_path": "a"}}\n</tool_call>', "Read"],
    ['Now:\n```json\n{"name": "yield_to_parent", "input": {"result": "x"}}\n```', "yield_to_parent"],
    ['{"type": "function", "function": {"name": "Read", "arguments": "{}"}}', "Read"],
    ["<function=Read><parameter=file_path>x</parameter></function>", "Read"],
  ])("C6: %j is seen", (message, tool) => {
    expect(callInText(message, isTool)).toBe(tool);
  });
  test.each([
    ["The tool yield_to_parent(result) ends a child."],
    ["A child ends by a call:\n```ts\nyield_to_parent(result)\n```"],
    ["It writes tags:\n```xml\n<yield_to_parent>\n```\nand nobody reads them."],
    ['{"name": "left-pad", "input": {}}'],
    ['The request was {"name": "Read", "input": {}} and nothing else.'],
    ["I will now call Bash."],
  ])("C6: %j is a report", (message) => {
    expect(callInText(message, isTool)).toBeUndefined();
  });
});
