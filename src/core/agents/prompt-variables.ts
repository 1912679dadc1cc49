// What may stand as `{{name}}` in an agent's prompt, besides its own metadata.
import type { Variables } from "../template.ts";
import type { AgentDefinition } from "./definition.ts";

export type PromptFacts = {
  readonly cwd: string;
  readonly platform: string;
  readonly date: string;
  /** The branch that is checked out; empty where there is none. */
  readonly branch?: string;
};

export const PROMPT_VARIABLES = ["subagent_registry", "cwd", "platform", "date", "git_branch", "model"] as const;

/** `agents` lists those that this very agent may spawn. */
export function promptVariables(
  { metadata }: Pick<AgentDefinition, "metadata">,
  facts: PromptFacts & { readonly model: string; agents(): string },
): Variables {
  const values: Readonly<Record<(typeof PROMPT_VARIABLES)[number], string | (() => string)>> = {
    subagent_registry: () => facts.agents() || "(none)",
    cwd: facts.cwd,
    platform: facts.platform,
    date: facts.date,
    git_branch: facts.branch ?? "",
    model: facts.model,
  };
  return { values, metadata };
}
