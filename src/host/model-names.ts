// The names of models that an agent's definition or a call may use: the person's own, and those of its parent's provider.
import { shippedAliases } from "../adapters/models/known-models.ts";
import type { ModelNames } from "../core/agents/model-wish.ts";
import type { Model } from "../ports/model.ts";
import type { Config, Settings } from "./config.ts";

/** From the model that is inherited: key and address come with it, so a shipped alias means one of its provider's. */
export type NamesFor = (inherited: string) => ModelNames;

/** `own`: models of the program that embeds us. */
export const createNamesFor =
  (
    { aliases }: Pick<Settings, "aliases">,
    { providers = {} }: Pick<Config, "providers">,
    own: readonly Model[],
  ): NamesFor =>
  (inherited) => {
    const provider = providerOf(inherited);
    const named = [...Object.keys(providers), ...own.map(({ id }) => providerOf(id))];
    return {
      aliases: { ...shippedAliases[provider], ...aliases },
      providers: [...Object.keys(shippedAliases), ...named, provider],
    };
  };

const providerOf = (model: string): string => model.split("/")[0] ?? "";

/** What we ship names for: an alias with what it stands for, each such model, and the one that needs no key. */
export function shippedNames(): (readonly [name: string, about: string])[] {
  const all = Object.entries(shippedAliases).flatMap(([provider, aliases = {}]) =>
    Object.entries(aliases).map(([alias, model]) => ({ alias, full: `${provider}/${model}` })),
  );
  const models = new Map(all.map(({ alias, full }) => [full, alias]));
  const short = [...new Set(all.map(({ alias }) => alias))];
  return [...short.map((alias) => [alias, "of your provider"] as const), ["offline", "needs no key"], ...models];
}
