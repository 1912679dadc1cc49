import { expect, test } from "vitest";
import { slimSchema } from "./slim-schema.ts";

test("a model is told names, kinds, choices and words, and not the bounds that only a checker needs", () => {
  const schema = {
    type: "object",
    required: ["mode"],
    additionalProperties: false,
    properties: {
      mode: {
        anyOf: [
          { type: "string", const: "a" },
          { type: "string", const: "b" },
        ],
      },
      // A property may have the name of a keyword.
      pattern: { type: "string", minLength: 1, pattern: "^x", description: "what to find" },
      list: {
        type: "array",
        maxItems: 3,
        items: { type: "object", additionalProperties: false, properties: { n: { type: "integer", minimum: 1 } } },
      },
    },
  };
  expect(slimSchema(schema)).toEqual({
    type: "object",
    required: ["mode"],
    properties: {
      mode: { enum: ["a", "b"] },
      pattern: { type: "string", description: "what to find" },
      list: { type: "array", items: { type: "object", properties: { n: { type: "integer" } } } },
    },
  });
});
