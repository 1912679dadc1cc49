import { expect, test } from "vitest";
import { resolveModelWish } from "./model-wish.ts";

const names = {
  aliases: { haiku: "claude-haiku-5-5", opus: "claude-opus-5-5", fast: "openai/gpt-6-luna" },
  providers: ["anthropic", "openai"],
};
const parent = "anthropic/claude-sonnet-5-5";

test.each<[string, string | undefined, string | undefined, string, string]>([
  ["the call over the definition", "opus", "haiku", "anthropic/claude-opus-5-5", "call"],
  ["the definition over the parent", undefined, "haiku", "anthropic/claude-haiku-5-5", "definition"],
  ["the parent when nobody says", undefined, undefined, parent, "parent"],
  ["an empty call says nothing", "", "haiku", "anthropic/claude-haiku-5-5", "definition"],
  ["inherit in the call means the parent", "inherit", "haiku", parent, "parent"],
  ["inherit in the definition", undefined, "inherit", parent, "parent"],
  ["a full name", undefined, "openai/gpt-6.1-sol", "openai/gpt-6.1-sol", "definition"],
  ["a name of the parent's provider", "claude-opus-5", undefined, "anthropic/claude-opus-5", "call"],
  ["an alias of the person's", "Fast", undefined, "openai/gpt-6-luna", "call"],
])("B6: %s", (_, call, model, expected, from) => {
  expect(resolveModelWish(call, { ...(model !== undefined && { model }) }, parent, names)).toEqual({
    model: expected,
    from,
    warnings: [],
  });
});

test.each(["gpt-5.4", "Claude Sonnet 4.5", "fable", "gemini-3", "nobody/x"])("B6: %s warns and inherits", (model) => {
  const wish = resolveModelWish(undefined, { model }, parent, names);
  expect(wish).toMatchObject({ model: parent, from: "parent", warnings: [expect.stringContaining(`"${model}"`)] });
});

test("B6: a call that names nothing known leaves the definition's model", () => {
  expect(resolveModelWish("gpt-5.4", { model: "haiku" }, parent, names)).toMatchObject({
    model: "anthropic/claude-haiku-5-5",
    from: "definition",
    warnings: [expect.stringContaining("gpt-5.4")],
  });
});

test("B6: of a provider that is not known any name may be a model, but no alias is", () => {
  expect(resolveModelWish("qwen3:8b", {}, "local/llama", names).model).toBe("local/qwen3:8b");
  expect(resolveModelWish("sonnet", {}, "local/llama", { ...names, aliases: {} }).model).toBe("local/llama");
});
