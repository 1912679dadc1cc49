// Model names as people write them: `provider/model`, a bare model, or an alias such as `sonnet`.
import { shippedAliases, type AliasTable } from "./known-models.ts";

export type ModelName = { readonly provider: string; readonly model: string };

/** `openrouter/anthropic/x` is the model `anthropic/x` of the provider `openrouter`. */
export function parseModelId(id: string): ModelName | undefined {
  const slash = id.indexOf("/");
  if (slash <= 0 || slash === id.length - 1) return undefined;
  return { provider: id.slice(0, slash), model: id.slice(slash + 1) };
}

export const modelId = ({ provider, model }: ModelName): string => `${provider}/${model}`;

export type NameOptions = {
  /** Whose models a name without a provider means. */
  readonly provider: string;
  /** All providers that exist; a prefix that is none of them belongs to the model's own name. */
  readonly providers: readonly string[];
  readonly aliases?: AliasTable;
};

/** The model that a name means; undefined for an alias that the provider does not have, and for an empty name. */
export function resolveModel(name: string, options: NameOptions): ModelName | undefined {
  const parsed = parseModelId(name);
  const named = parsed && options.providers.includes(parsed.provider) ? parsed : undefined;
  const { provider, model } = named ?? { provider: options.provider, model: name };
  if (model.trim() === "") return undefined;
  const full = aliasOf(provider, model, options.aliases);
  if (full) return { provider, model: full };
  return isAlias(model, options.aliases) ? undefined : { provider, model };
}

function aliasOf(provider: string, name: string, own: AliasTable = {}): string | undefined {
  return own[provider]?.[name] ?? shippedAliases[provider]?.[name];
}

/** An alias of some provider is never a model's name at another. */
function isAlias(name: string, own: AliasTable = {}): boolean {
  return [...Object.values(own), ...Object.values(shippedAliases)].some((table) => table && Object.hasOwn(table, name));
}
