// Prices and context windows: the caller's table, then ours, then the library's, which is loaded at the first question.
import type { ModelPrice } from "@pydantic/genai-prices";
import { totalTokens, type Price, type Usage } from "../../core/usage.ts";
import { modelId, type ModelName } from "./catalogue.ts";
import { shippedFacts, type FactTable, type ModelFacts } from "./known-models.ts";

export type Prices = {
  /** What this much usage costs per token; undefined where nobody knows, which is not the same as free. */
  priceOf(name: ModelName, usage: Usage): Promise<Price | undefined>;
  windowOf(name: ModelName): Promise<number | undefined>;
};

export type PriceOptions = { readonly facts?: FactTable; readonly now?: () => Date };

/** Some prices change with the hour; a search in the library's table is too slow for every turn. */
const KEPT_MS = 60_000;

export function createPrices(options: PriceOptions = {}): Prices {
  const { facts = {}, now = () => new Date() } = options;
  const told = (asked: ModelName): readonly ModelFacts[] =>
    [facts[modelId(asked)], shippedFacts[modelId(seller(asked))]].filter((one) => one !== undefined);
  const looked = new Map<string, { at: number; facts: ModelFacts | undefined }>();
  const lookUp = async (asked: ModelName): Promise<ModelFacts | undefined> => {
    const name = seller(asked);
    const time = now();
    const last = looked.get(modelId(name));
    if (last && Math.abs(time.getTime() - last.at) < KEPT_MS) return last.facts;
    const found = await fromLibrary(name, time);
    looked.set(modelId(name), { at: time.getTime(), facts: found });
    return found;
  };
  return {
    async priceOf(name, usage) {
      const known = told(name).find((one) => one.price !== undefined) ?? (await lookUp(name));
      return known?.price && priceFor(known.price, known, usage);
    },
    async windowOf(name) {
      const known = told(name).find((one) => one.window !== undefined) ?? (await lookUp(name));
      return known?.window;
    },
  };
}

/** The same models at the same price over OpenAI's older wire. */
const seller = (name: ModelName): ModelName =>
  name.provider === "openai-chat" ? { ...name, provider: "openai" } : name;

/** A long prompt has another price for all of its tokens. */
function priceFor(base: Price, { tiers = [] }: ModelFacts, usage: Usage): Price {
  const prompt = totalTokens(usage) - usage.outputTokens;
  return tiers.toSorted((a, b) => b.over - a.over).find((tier) => prompt > tier.over) ?? base;
}

async function fromLibrary({ provider, model }: ModelName, timestamp: Date): Promise<ModelFacts | undefined> {
  const { calcPrice } = await import("@pydantic/genai-prices");
  const found = calcPrice({ input_tokens: 0, output_tokens: 0 }, model, { providerId: provider, timestamp });
  if (!found) return undefined;
  const window = found.model.context_window;
  return { ...pricesIn(found.model_price), ...(window === undefined ? {} : { window }) };
}

function pricesIn(table: ModelPrice): ModelFacts {
  const price = at(table, 0);
  if (!price) return {};
  const starts = new Set(
    Object.values(table)
      .flatMap((one) => (typeof one === "object" ? one.tiers : []))
      .map((t) => t.start),
  );
  const tiers = [...starts].flatMap((over) => {
    const tier = at(table, over + 1);
    return tier ? [{ ...tier, over }] : [];
  });
  return { price, tiers };
}

/** The library's table for a prompt of this length. */
function at(table: ModelPrice, prompt: number): Price | undefined {
  const value = (name: string): number | undefined => {
    const entry = table[name];
    if (entry === undefined || typeof entry === "number") return entry;
    return entry.tiers.toSorted((a, b) => b.start - a.start).find((tier) => prompt > tier.start)?.price ?? entry.base;
  };
  const input = value("input_mtok");
  const output = value("output_mtok");
  if (input === undefined || output === undefined) return undefined;
  const cacheRead = value("cache_read_mtok");
  const cacheWrite = value("cache_write_mtok");
  return {
    input,
    output,
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  };
}
