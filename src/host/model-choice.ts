// Which model a run uses: the one asked for, the configured one, or the first provider in a fixed order that has a key.
import { resolveModel } from "../adapters/models/catalogue.ts";
import type { Http } from "../adapters/models/http.ts";
import { type KeySource, createKeySource } from "../adapters/models/keys.ts";
import { type Prices, createPrices } from "../adapters/models/prices.ts";
import { type ProviderConfig, builtInProviders, createModel } from "../adapters/models/providers.ts";
import { nearest } from "../std/nearest.ts";
import type { Price, Usage } from "../core/usage.ts";
import type { Model } from "../ports/model.ts";
import type { Config } from "./config.ts";
import { HostError } from "./host-error.ts";

/** A window that is not known is taken to be this large. */
const LIKELY_WINDOW = 128_000;
const ORDER = ["anthropic", "openai", "google"] as const;
const KEY_NAMES: Readonly<Record<string, readonly string[]>> = {
  anthropic: ["ANTHROPIC_API_KEY"],
  openai: ["OPENAI_API_KEY"],
  "openai-chat": ["OPENAI_API_KEY"],
  google: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
};
const BASE_NAMES: Readonly<Record<string, string>> = {
  anthropic: "ANTHROPIC_BASE_URL",
  openai: "OPENAI_BASE_URL",
  "openai-chat": "OPENAI_BASE_URL",
  google: "GOOGLE_GEMINI_BASE_URL",
};

export type ChosenModel = {
  readonly model: Model;
  readonly prices: { priceOf(usage: Usage): Promise<Price | undefined>; window(): Promise<number> };
};

type Env = Readonly<Record<string, string | undefined>>;
type Known = { readonly provider: ProviderConfig; readonly keys: () => KeySource; readonly hasKey: boolean };

/** The variables that hold keys: no command of an agent gets to see them. */
export function secretNames(config: Config): string[] {
  const own = Object.values(config.providers ?? {}).flatMap((provider) => provider.apiKeyEnv ?? []);
  return [...new Set([...Object.values(KEY_NAMES).flat(), "ANTHROPIC_AUTH_TOKEN", ...own])];
}

export type ModelChoice = (asked: string | undefined) => Promise<ChosenModel>;

/** One for all runs of a host: they share connections, keys and the refreshing of keys. */
export function createModelChoice(config: Config, env: Env, http: Http, newId: () => string): ModelChoice {
  const known = providersOf(config, env);
  const prices = createPrices({ facts: config.models ?? {} });
  return (asked) => chooseModel(asked, config, known, prices, http, newId);
}

async function chooseModel(
  asked: string | undefined,
  config: Config,
  known: Map<string, Known>,
  prices: Prices,
  http: Http,
  newId: () => string,
): Promise<ChosenModel> {
  const first = ORDER.find((name) => known.get(name)?.hasKey) ?? [...known].find(([, one]) => one.hasKey)?.[0];
  const wanted = asked ?? config.model ?? (first && "sonnet");
  if (wanted === undefined)
    throw new HostError(
      "no model: set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or configure a provider",
      "failed",
    );
  const names = [...known.keys()];
  const full = config.aliases?.[wanted] ?? wanted;
  const prefixed = full.includes("/") && names.includes(full.split("/")[0] ?? "");
  const name =
    prefixed || (first && !full.includes("/"))
      ? resolveModel(full, { provider: first ?? "", providers: names })
      : undefined;
  const provider = name && known.get(name.provider);
  if (!name || !provider) throw new HostError(unknownModel(wanted, names));
  const model = await createModel({
    provider: provider.provider,
    model: name.model,
    http,
    keys: provider.keys(),
    newId,
  });
  return {
    model,
    prices: {
      priceOf: (usage) => prices.priceOf(name, usage),
      window: async () => (await prices.windowOf(name)) ?? LIKELY_WINDOW,
    },
  };
}

function unknownModel(wanted: string, providers: readonly string[]): string {
  const prefix = wanted.split("/")[0] ?? wanted;
  const close = nearest(prefix, providers);
  const hint = close && close !== prefix ? `; did you mean ${close}/…?` : "";
  return `there is no model "${wanted}"${hint} (write provider/model; providers: ${providers.join(", ")})`;
}

function providersOf(config: Config, env: Env): Map<string, Known> {
  const known = new Map<string, Known>();
  const add = (
    provider: ProviderConfig,
    value: string | undefined,
    command: string | undefined,
    needsKey: boolean,
  ): void => {
    let keys: KeySource | undefined;
    known.set(provider.name, {
      provider,
      hasKey: Boolean(value ?? command) || !needsKey,
      keys: () => (keys ??= createKeySource({ value, command, env })),
    });
  };
  for (const [name, provider] of Object.entries(builtInProviders)) {
    if (!provider) continue;
    const value = KEY_NAMES[name]?.map((variable) => env[variable]).find((found) => found);
    const baseURL = env[BASE_NAMES[name] ?? ""];
    add({ ...provider, ...(baseURL && { baseURL }) }, value, undefined, true);
  }
  for (const [name, own] of Object.entries(config.providers ?? {})) {
    const builtIn = builtInProviders[name];
    const variables = own.apiKeyEnv ? [own.apiKeyEnv] : (KEY_NAMES[name] ?? []);
    const value = variables.map((variable) => env[variable]).find((found) => found);
    const baseURL = own.baseUrl ?? (builtIn && env[BASE_NAMES[name] ?? ""]);
    const keyless = !own.apiKeyEnv && !own.apiKeyCommand && !builtIn;
    add(
      {
        ...builtIn,
        name,
        api: own.api === "openai" ? "openai-responses" : own.api,
        ...(own.apiKeyEnv && { keyFrom: own.apiKeyEnv }),
        ...(own.apiKeyCommand && { keyFrom: `apiKeyCommand of provider "${name}"` }),
        ...(baseURL && { baseURL }),
        keyOptional: keyless,
      },
      value,
      own.apiKeyCommand,
      !keyless,
    );
  }
  return known;
}
