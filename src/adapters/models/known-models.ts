// What we ship to know about models: aliases for each provider, and numbers that the price library does not have yet.
import type { Price } from "../../core/usage.ts";

/** A price for prompts of more than `over` tokens, all of them. */
export type Tier = Price & { readonly over: number };
export type ModelFacts = {
  readonly window?: number;
  readonly price?: Price;
  readonly tiers?: readonly Tier[];
};
/** By `provider/model`. */
export type FactTable = Readonly<Record<string, ModelFacts | undefined>>;
/** By provider, then alias. */
export type AliasTable = Readonly<Record<string, Readonly<Record<string, string>> | undefined>>;

const openai = { haiku: "gpt-6-luna", sonnet: "gpt-6.1-terra", opus: "gpt-6.1-sol" };

export const shippedAliases: AliasTable = {
  anthropic: { haiku: "claude-haiku-5-5", sonnet: "claude-sonnet-5-5", opus: "claude-opus-5-5" },
  openai,
  "openai-chat": openai,
  // The embedded model is one for all: whoever asks for a small or a large one gets it.
  offline: { haiku: "rules", sonnet: "rules", opus: "rules" },
  google: { haiku: "gemini-3.5-flash-lite", sonnet: "gemini-3.8-flash", opus: "gemini-3.1-pro-preview" },
};

/** From the providers' price pages, October and November 2026. */
export const shippedFacts: FactTable = {
  "offline/rules": { window: 1_000_000, price: { input: 0, output: 0 } },
  "anthropic/claude-haiku-5-5": {
    window: 1_000_000,
    price: { input: 0.1, output: 0.5, cacheRead: 0.01, cacheWrite: 0.125 },
    tiers: [{ over: 100_000, input: 0.5, output: 2.5, cacheRead: 0.05, cacheWrite: 0.625 }],
  },
  "openai/gpt-6.1-sol": {
    window: 1_050_000,
    price: { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 },
    tiers: [{ over: 272_000, input: 4, output: 15, cacheRead: 0.2, cacheWrite: 5 }],
  },
  "openai/gpt-6.1-terra": {
    window: 1_050_000,
    price: { input: 1, output: 5, cacheRead: 0.05, cacheWrite: 1.25 },
    tiers: [{ over: 272_000, input: 2, output: 7.5, cacheRead: 0.1, cacheWrite: 2.5 }],
  },
  "google/gemini-3.1-pro-preview": { window: 1_048_576 },
};
