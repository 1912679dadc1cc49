// Which model a child runs: what the call says, else its definition, else its parent's. A name that means nothing
// warns and inherits. Pure.
import { makerName, makerOf, servesOnlyItsOwn } from "../model-families.ts";

export type ModelNames = {
  /** Alias to model or provider/model, for the parent's provider. */
  readonly aliases: Readonly<Record<string, string>>;
  readonly providers: readonly string[];
  /** Whether a provider may have a model of this name. */
  readonly mayHave?: (provider: string, model: string) => boolean;
};

export type ModelWish = {
  /** provider/model */
  readonly model: string;
  readonly from: "call" | "definition" | "parent";
  readonly warnings: readonly string[];
};

type Wisher = { readonly model?: string; readonly source?: { readonly kind: string } };

/** `parent` is the parent's model as provider/model: its key and address are used, so a bare name is one of its provider's. */
export function resolveModelWish(
  call: string | undefined,
  definition: Wisher,
  parent: string,
  names: ModelNames,
  otherwise = "the parent's is used",
): ModelWish {
  const warnings: string[] = [];
  const wishes = [
    { from: "call", wish: call?.trim() },
    { from: "definition", wish: definition.model?.trim() },
  ] as const;
  for (const { from, wish } of wishes) {
    if (wish === undefined || wish === "") continue;
    if (wish.toLowerCase() === "inherit") break;
    const model = fullName(wish, parent, names);
    if (model) return { model, from, warnings };
    // Our own agents ask for a size; a provider that has no sizes serves them with the model that there is.
    if (from === "definition" && definition.source?.kind === "built-in" && isSizeName(wish)) break;
    warnings.push(
      `there is no model "${wish}" (asked for by the ${from}): ${from === "call" ? "it is not used" : otherwise}`,
    );
  }
  return { model: parent, from: "parent", warnings };
}

function fullName(wish: string, parent: string, names: ModelNames): string | undefined {
  const { aliases, providers, mayHave = likely } = names;
  const alias = Object.entries(aliases).find(([name]) => name.toLowerCase() === wish.toLowerCase())?.[1];
  const wanted = alias ?? wish;
  const provider = parent.slice(0, Math.max(0, parent.indexOf("/")));
  if (providers.includes(wanted.split("/")[0] ?? "") && !wanted.endsWith("/") && wanted.includes("/")) return wanted;
  if (/\s/.test(wanted)) return undefined;
  return alias !== undefined || mayHave(provider, wanted) ? `${provider}/${wanted}` : undefined;
}

/** A name of another family is none of this provider's; of providers we do not know, anything may be one. */
function likely(provider: string, model: string): boolean {
  if (!servesOnlyItsOwn(provider)) return !isSizeName(model);
  return makerOf(model) === makerName(provider);
}

/** The names by which definitions ask for a small, middle or large model of whatever provider there is. */
const isSizeName = (name: string): boolean => /^(haiku|sonnet|opus|fable)$/i.test(name);
