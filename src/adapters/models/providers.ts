// From a provider's settings and a model's name to a model. Only the wire that is used is loaded.
import type { Model } from "../../ports/model.ts";
import type { Site } from "./faults.ts";
import type { Http } from "./http.ts";
import type { KeySource } from "./keys.ts";
import type { Wire } from "./wire.ts";

export type Api = "anthropic" | "openai-responses" | "openai-chat" | "google";

export type ProviderConfig = {
  readonly name: string;
  readonly api: Api;
  readonly baseURL?: string;
  /** How messages to people call the places where key and base URL are set. */
  readonly keyFrom?: string;
  readonly keyCommand?: boolean;
  readonly baseFrom?: string;
  /** A local server that wants no key. */
  readonly keyOptional?: boolean;
};

export type ModelOptions = {
  readonly provider: ProviderConfig;
  /** Without the provider. */
  readonly model: string;
  readonly http: Http;
  readonly keys: KeySource;
  /** Makes ids for calls that came without one, or with one that is taken. */
  readonly newId: () => string;
  readonly now?: () => number;
  readonly maxBytes?: number;
  /** How long one reply may be. */
  readonly mostReplyChars?: number;
};

/** The providers that need no configuration but a key. `openai-chat/…` is OpenAI over its older wire. */
export const builtInProviders: Readonly<Record<string, ProviderConfig | undefined>> = {
  anthropic: { name: "anthropic", api: "anthropic", keyFrom: "ANTHROPIC_API_KEY", baseFrom: "ANTHROPIC_BASE_URL" },
  openai: { name: "openai", api: "openai-responses", keyFrom: "OPENAI_API_KEY", baseFrom: "OPENAI_BASE_URL" },
  "openai-chat": { name: "openai-chat", api: "openai-chat", keyFrom: "OPENAI_API_KEY", baseFrom: "OPENAI_BASE_URL" },
  google: { name: "google", api: "google", keyFrom: "GEMINI_API_KEY", baseFrom: "GOOGLE_GEMINI_BASE_URL" },
};

export async function createModel(options: ModelOptions): Promise<Model> {
  const { provider, model, http, keys, newId, now, maxBytes, mostReplyChars } = options;
  const site: Site = {
    provider: provider.name,
    model,
    keyFrom: provider.keyFrom ?? `the key of provider "${provider.name}" in config.json`,
    ...(provider.keyCommand && { keyCommand: true }),
    baseFrom: provider.baseFrom ?? `baseURL of provider "${provider.name}" in config.json`,
  };
  const [wire, { createWireModel }] = await Promise.all([wireFor(provider, site), import("./wire-model.ts")]);
  return createWireModel({
    wire,
    site,
    http,
    keys,
    newId,
    keyOptional: provider.keyOptional ?? false,
    ...(now ? { now } : {}),
    ...(maxBytes === undefined ? {} : { maxBytes }),
    ...(mostReplyChars === undefined ? {} : { mostReplyChars }),
  });
}

async function wireFor({ api, baseURL, name }: ProviderConfig, site: Site): Promise<Wire> {
  switch (api) {
    case "anthropic":
      return (await import("./anthropic.ts")).anthropicWire(site, baseURL);
    case "openai-responses":
      return (await import("./openai-responses.ts")).openaiResponsesWire(site, baseURL);
    case "openai-chat": {
      const native = name === "openai" || name === "openai-chat";
      return (await import("./openai-chat.ts")).openaiChatWire(site, baseURL ?? "https://api.openai.com", native);
    }
    case "google":
      return (await import("./google.ts")).googleWire(site, baseURL);
  }
}
