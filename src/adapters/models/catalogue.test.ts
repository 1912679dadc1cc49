import { describe, expect, test } from "vitest";
import { costOf, noUsage } from "../../core/usage.ts";
import { modelId, parseModelId, resolveModel } from "./catalogue.ts";
import { shippedAliases } from "./known-models.ts";
import { createPrices } from "./prices.ts";
import { createHttp } from "./http.ts";
import { createKeySource } from "./keys.ts";
import { builtInProviders, createModel } from "./providers.ts";

describe("B6: a model's name", () => {
  const options = { provider: "openai", providers: ["anthropic", "openai", "openai-chat", "google", "openrouter"] };

  test.each([
    ["anthropic/claude-opus-5-5", "anthropic/claude-opus-5-5"],
    ["openrouter/anthropic/claude-opus-5.5", "openrouter/anthropic/claude-opus-5.5"],
    ["sonnet", "openai/gpt-6.1-terra"],
    ["openai-chat/opus", "openai-chat/gpt-6.1-sol"],
    ["google/haiku", "google/gemini-3.5-flash-lite"],
    ["gpt-6-luna", "openai/gpt-6-luna"],
    ["qwen/qwen3", "openai/qwen/qwen3"],
    ["openrouter/opus", undefined],
    ["", undefined],
    ["anthropic/", "openai/anthropic/"],
  ])("%s means %s", (name, expected) => {
    const found = resolveModel(name, options);
    expect(found && modelId(found)).toBe(expected);
  });

  test("can be an alias of the user's own, which wins over ours", () => {
    const aliases = { openai: { sonnet: "gpt-x", mine: "gpt-y" } };
    expect(resolveModel("sonnet", { ...options, aliases })).toEqual({ provider: "openai", model: "gpt-x" });
    expect(resolveModel("mine", { ...options, aliases })).toEqual({ provider: "openai", model: "gpt-y" });
    expect(resolveModel("google/mine", { ...options, aliases })).toBeUndefined();
  });

  test("has a provider only with something on both sides of the slash", () => {
    expect(parseModelId("x")).toBeUndefined();
    expect(parseModelId("/x")).toBeUndefined();
    expect(parseModelId("a/b/c")).toEqual({ provider: "a", model: "b/c" });
  });
});

describe("X6: prices", () => {
  const prices = createPrices({ now: () => new Date("2026-11-16") });
  const million = { ...noUsage, inputTokens: 90_000, outputTokens: 10_000 };

  test("come from the library, by cache class", async () => {
    const name = { provider: "anthropic", model: "claude-opus-5-5" };
    expect(await prices.priceOf(name, million)).toEqual({ input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 });
    expect(costOf(million, await prices.priceOf(name, million))).toBeCloseTo(0.56);
  });

  test("of long prompts are those of their tier, whichever cache class made them long", async () => {
    const name = { provider: "openai", model: "gpt-6-astra" };
    expect((await prices.priceOf(name, million))?.input).toBe(10);
    expect((await prices.priceOf(name, { ...million, cacheReadTokens: 200_000 }))?.input).toBe(20);
    const haiku = { provider: "anthropic", model: "claude-haiku-5-5" };
    expect((await prices.priceOf(haiku, million))?.output).toBe(0.5);
    expect((await prices.priceOf(haiku, { ...million, inputTokens: 100_001 }))?.output).toBe(2.5);
  });

  test("of unknown models are unknown, not 0", async () => {
    for (const name of [
      { provider: "local", model: "qwen" },
      { provider: "openai", model: "gpt-99" },
      { provider: "ollama", model: "gpt-5" },
    ]) {
      expect(await prices.priceOf(name, million)).toBeUndefined();
      expect(await prices.windowOf(name)).toBeUndefined();
      expect(costOf(million, await prices.priceOf(name, million))).toBeNull();
    }
  });

  test("can be overridden, and so can windows, each alone", async () => {
    const facts = { "anthropic/claude-opus-5-5": { price: { input: 1, output: 2 } }, "local/qwen": { window: 32_768 } };
    const own = createPrices({ facts, now: () => new Date("2026-11-16") });
    expect(await own.priceOf({ provider: "anthropic", model: "claude-opus-5-5" }, million)).toEqual({
      input: 1,
      output: 2,
    });
    expect(await own.windowOf({ provider: "anthropic", model: "claude-opus-5-5" })).toBe(1_000_000);
    expect(await own.windowOf({ provider: "local", model: "qwen" })).toBe(32_768);
  });

  test("that change with the hour are those of now, also when they were asked for before", async () => {
    let time = "2025-07-01T12:00:00Z";
    const hourly = createPrices({ now: () => new Date(time) });
    const name = { provider: "deepseek", model: "deepseek-chat" };
    expect((await hourly.priceOf(name, million))?.input).toBe(0.27);
    time = "2025-07-01T17:00:00Z";
    expect((await hourly.priceOf(name, million))?.input).toBe(0.135);
  });

  test("and windows are known for every model that we name by an alias", async () => {
    for (const [provider, names] of Object.entries(shippedAliases)) {
      for (const model of Object.values(names ?? {})) {
        expect(await prices.priceOf({ provider, model }, million), model).toBeDefined();
        expect(await prices.windowOf({ provider, model }), model).toBeGreaterThan(100_000);
      }
    }
  });
});

describe("a provider", () => {
  test("that is built in says which variable holds its key", () => {
    const keys = Object.values(builtInProviders).map((provider) => provider?.keyFrom);
    expect(keys).toEqual(["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"]);
  });

  test("gives its name to its models", async () => {
    const provider = { name: "groq", api: "openai-chat", baseURL: "http://h/openai/v1" } as const;
    const model = await createModel({
      provider,
      model: "meta/llama",
      http: createHttp(),
      keys: createKeySource({}),
      newId: () => "x",
    });
    expect([model.id, model.provider]).toEqual(["groq/meta/llama", "groq"]);
  });
});
