// Which model a run uses: the one asked for, the configured one, the first provider in a fixed order that has a key,
// or else the embedded offline model.
import { resolveModel } from "../adapters/models/catalogue.ts";
import type { Http } from "../adapters/models/http.ts";
import { type Held, type KeySource, createKeySource } from "../adapters/models/keys.ts";
import { shippedAliases } from "../adapters/models/known-models.ts";
import { type Prices, createPrices } from "../adapters/models/prices.ts";
import { type ProviderConfig, builtInProviders, createModel } from "../adapters/models/providers.ts";
import { nearest } from "../std/nearest.ts";
import type { Price, Usage } from "../core/usage.ts";
import type { Model } from "../ports/model.ts";
import { withoutKeys } from "../core/looks-like-key.ts";
import type { Secret } from "../core/mask.ts";
import { makerName, makerOf, servesOnlyItsOwn } from "../core/model-families.ts";
import type { Config, Settings } from "./config.ts";
import { BASE_NAMES, KEY_NAMES } from "./config/key-names.ts";
import type { StoredKeys } from "./config/keys-file.ts";
import { HostError } from "./host-error.ts";

/** A window that is not known is taken to be this large. */
const LIKELY_WINDOW = 128_000;
const ORDER = ["anthropic", "openai", "google"] as const;
const OFFLINE = "offline";

export type ChosenModel = {
  readonly model: Model;
  readonly prices: { priceOf(usage: Usage): Promise<Price | undefined>; window(): Promise<number> };
};

type Env = Readonly<Record<string, string | undefined>>;
type Known = { readonly provider: ProviderConfig; readonly keys: () => KeySource; readonly hasKey: boolean };

/** The settings are those of the folder that is worked in; `own` are models of the program that embeds us. */
export type ModelChoice = (
  asked: string | undefined,
  settings: Settings,
  own?: readonly Model[],
) => Promise<ChosenModel>;

export type ModelChoiceOptions = {
  readonly config: Config;
  readonly env: Env;
  readonly http: Http;
  readonly newId: () => string;
  readonly stored: StoredKeys;
  /** Hears of every key that a command hands out, before it is used. */
  readonly onKey: (secret: Secret) => void;
};

/** One for all runs of a host: they share connections, keys and the refreshing of keys. */
export function createModelChoice(options: ModelChoiceOptions): ModelChoice {
  const known = providersOf(options);
  const { http, newId } = options;
  /** Children that use one model share it, with all that it has prepared for its requests. */
  const made = new WeakMap<Settings, Map<string | undefined, Promise<ChosenModel>>>();
  return async (asked, settings, own = []) => {
    const mine = asked === undefined ? own[0] : own.find((model) => model.id === asked);
    if (mine) return ownModel(mine, settings);
    const chosen = made.get(settings) ?? new Map<string | undefined, Promise<ChosenModel>>();
    made.set(settings, chosen);
    const before = chosen.get(asked);
    if (before) return before;
    const choice = chooseModel(asked, settings, known, createPrices({ facts: settings.models ?? {} }), http, newId);
    chosen.set(asked, choice);
    choice.catch(() => chosen.delete(asked));
    return choice;
  };
}

/** What a model of the program's own costs, only the configuration can know. */
function ownModel(model: Model, { models = {} }: Settings): ChosenModel {
  const { price, window = LIKELY_WINDOW } = models[model.id] ?? {};
  return { model, prices: { priceOf: async () => price, window: async () => window } };
}

async function chooseModel(
  asked: string | undefined,
  config: Settings,
  known: Map<string, Known>,
  prices: Prices,
  http: Http,
  newId: () => string,
): Promise<ChosenModel> {
  const first = ORDER.find((name) => known.get(name)?.hasKey) ?? [...known].find(([, one]) => one.hasKey)?.[0];
  const wanted = asked ?? config.model ?? (first ? "sonnet" : OFFLINE);
  const names = [...known.keys(), OFFLINE];
  const full = config.aliases?.[wanted] ?? wanted;
  if (full === OFFLINE || full.startsWith(`${OFFLINE}/`)) return offline();
  mustNotBeMisspelt(wanted, full, [
    ...Object.keys(config.aliases ?? {}),
    ...Object.keys(shippedAliases[first ?? ""] ?? {}),
  ]);
  const prefixed = full.includes("/") && names.includes(full.split("/")[0] ?? "");
  const meant = prefixed ? full.split("/")[0] : full.includes("/") ? undefined : providerFor(full, first, known);
  const name = meant === undefined ? undefined : resolveModel(full, { provider: meant, providers: names });
  const provider = name && known.get(name.provider);
  if (!name || !provider) throw new HostError(unknownModel(wanted, names), "usage", "unknown-model");
  if (!provider.hasKey) throw new HostError(noKey(wanted, name.provider, provider, first), "failed", "no-key");
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

/** Whose model a bare name means: its maker's where that has a key or the usual provider cannot have it, else the usual one's. */
function providerFor(model: string, first: string | undefined, known: Map<string, Known>): string | undefined {
  const maker = makerOf(model);
  if (first === undefined) return maker ?? ORDER[0];
  if (maker === undefined || maker === makerName(first)) return first;
  return known.get(maker)?.hasKey || servesOnlyItsOwn(first) ? maker : first;
}

function noKey(wanted: string, name: string, { provider }: Known, first: string | undefined): string {
  const key = provider.keyFrom ?? `the key of provider "${name}" in config.json`;
  const set = `set ${key}, run sous setup ${name}`;
  if (first === undefined)
    return `${wanted} needs a key for ${name}, and there is none: ${set}, or use the model offline`;
  return `${wanted} is a model of ${name}, and there is no key for ${name}: ${set}, or use a model of ${first}`;
}

/** The embedded model: rules, no language model. */
async function offline(): Promise<ChosenModel> {
  const { createOfflineModel, offlineFacts } = await import("../adapters/models/offline/offline-model.ts");
  const { price, window } = offlineFacts;
  return { model: createOfflineModel(), prices: { priceOf: async () => price, window: async () => window } };
}

/** A name without a provider that is almost an alias was meant as one: no provider has a model of that name. */
function mustNotBeMisspelt(wanted: string, full: string, aliases: readonly string[]): void {
  if (full.includes("/") || aliases.includes(full)) return;
  const close = nearest(full, aliases);
  if (close === undefined) return;
  throw new HostError(
    `there is no model "${wanted}"; did you mean ${close}? (written provider/${wanted}, a name is sent as it is)`,
    "usage",
    "unknown-model",
  );
}

function unknownModel(wanted: string, providers: readonly string[]): string {
  const prefix = wanted.split("/")[0] ?? wanted;
  const close = nearest(prefix, providers);
  const hint = close && close !== prefix ? `; did you mean ${close}/…?` : "";
  return `there is no model "${wanted}"${hint} (write provider/model; providers: ${providers.join(", ")})`;
}

function providersOf({ config, env, stored, onKey }: ModelChoiceOptions): Map<string, Known> {
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
      keys: () => (keys ??= noting(createKeySource({ value, command, env }), provider.name, onKey)),
    });
  };
  for (const [name, provider] of Object.entries(builtInProviders)) {
    if (!provider) continue;
    const value = KEY_NAMES[name]?.map((variable) => env[variable]).find((found) => found);
    const baseURL = env[BASE_NAMES[name] ?? ""];
    const kept = value === undefined ? storedKey(stored, name) : undefined;
    const from = kept === undefined ? {} : { keyFrom: KEPT };
    add({ ...provider, ...from, ...(baseURL && { baseURL }) }, value ?? kept, undefined, true);
  }
  for (const [name, own] of Object.entries(config.providers ?? {})) {
    const builtIn = builtInProviders[name];
    const variables = own.apiKeyEnv ? [own.apiKeyEnv] : (KEY_NAMES[name] ?? []);
    const value = variables.map((variable) => env[variable]).find((found) => found);
    const baseURL = own.baseUrl ?? (builtIn && env[BASE_NAMES[name] ?? ""]);
    const command = value === undefined ? own.apiKeyCommand : undefined;
    const kept = value === undefined && command === undefined ? storedKey(stored, name) : undefined;
    const keyless = !own.apiKeyEnv && !own.apiKeyCommand && !builtIn && kept === undefined;
    add(
      {
        ...builtIn,
        name,
        api: own.api === "openai" ? "openai-responses" : own.api,
        ...(own.apiKeyEnv && { keyFrom: withoutKeys(own.apiKeyEnv) }),
        ...(command && { keyFrom: `apiKeyCommand of provider "${name}"`, keyCommand: true }),
        ...(kept && { keyFrom: KEPT }),
        ...(baseURL && { baseURL }),
        keyOptional: keyless,
      },
      value ?? kept,
      command,
      !keyless,
    );
  }
  return known;
}

/** How messages call the place of a key that was stored. */
const KEPT = "the stored key (sous setup)";

/** OpenAI's older wire takes the same key. */
const storedKey = (stored: StoredKeys, name: string): string | undefined =>
  stored[name] ?? (name === "openai-chat" ? stored["openai"] : undefined);

function noting(keys: KeySource, provider: string, onKey: ModelChoiceOptions["onKey"]): KeySource {
  const note = (held: Held): Held => {
    if (held.key !== undefined) onKey({ name: `key of ${provider}`, value: held.key });
    return held;
  };
  return { get: async () => note(await keys.get()), refresh: async (used) => note(await keys.refresh(used)) };
}
