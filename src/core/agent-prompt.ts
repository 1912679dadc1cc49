// The prompt of an agent that has a definition: the definition, what it knows from before, where it is, whom it may
// spawn, and the project's instructions unless it does without.
import { type AgentDefinition, isForeign } from "./agents/definition.ts";
import { promptVariables } from "./agents/prompt-variables.ts";
import { type Surroundings, TOLD, placeLines } from "./system-prompt.ts";
import { type Rendered, renderTemplate, usesVariable } from "./template.ts";

export type PromptParts = {
  readonly about: Omit<Surroundings, "agents">;
  readonly model: string;
  /** Lists whom it may spawn; empty when nobody. */
  agents(): string;
  /** As `memoryText` frames it. */
  readonly memory?: string;
};

const CHILD =
  "You are a child agent: your last message is your whole report to the agent that called you. Say only what you saw.";

export function agentPrompt(definition: AgentDefinition, parts: PromptParts, as: "child" | "lead"): Rendered {
  const { about, memory } = parts;
  const unknown = isForeign(definition.source) ? "text" : "problem";
  const rendered = renderTemplate(
    definition.prompt.trim(),
    promptVariables(definition, { ...parts, ...about }),
    unknown,
  );
  if ("problem" in rendered) return rendered;
  const agents = usesVariable(definition.prompt, "subagent_registry") ? "" : parts.agents();
  const told = definition.omitInstructions ? undefined : about.instructions;
  const text = [
    rendered.text,
    ...(memory === undefined ? [] : [memory]),
    ...(agents === "" ? [] : [`Agents you may spawn:\n${agents}`]),
    [...(as === "child" ? [CHILD] : []), placeLines(about)].join("\n"),
    ...(told ? [`${as === "child" ? "Instructions for this project:" : TOLD}\n${told}`] : []),
  ].join("\n\n");
  return { text };
}
