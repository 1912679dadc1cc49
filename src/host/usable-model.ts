// The model that a call or a definition asks for, or the inherited one where that cannot be used, with the reason.
import type { AgentDefinition } from "../core/agents/definition.ts";
import { resolveModelWish } from "../core/agents/model-wish.ts";
import { HostError } from "./host-error.ts";
import type { ChosenModel } from "./model-choice.ts";
import type { NamesFor } from "./model-names.ts";

export type ModelAsked = {
  readonly call?: string | undefined;
  readonly definition: AgentDefinition;
  /** The id of the parent's model, or of the one that a lead uses without a definition. */
  readonly inherited: string;
  readonly namesFor: NamesFor;
  choose(name: string): Promise<ChosenModel>;
  /** How a warning says what is used instead. */
  readonly otherwise?: string;
};

export async function usableModel(
  asked: ModelAsked,
): Promise<{ readonly chosen: ChosenModel; readonly warnings: readonly string[] }> {
  const { call, definition, inherited, namesFor, choose, otherwise = "the parent's is used" } = asked;
  const { model, warnings } = resolveModelWish(call, definition, inherited, namesFor(inherited), otherwise);
  if (model === inherited) return { chosen: await choose(inherited), warnings };
  try {
    return { chosen: await choose(model), warnings };
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return { chosen: await choose(inherited), warnings: [...warnings, `${error.message}: ${otherwise}`] };
  }
}
