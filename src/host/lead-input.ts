// The input of an agent that leads and takes one, as the prompt of its run.
import type { AgentDefinition } from "../core/agents/definition.ts";
import { taskOfInput } from "../core/agents/task-of-input.ts";
import type { JsonObject } from "../core/json.ts";
import { definitionTool } from "../engine/tools/definition-tool.ts";
import { HostError } from "./host-error.ts";

/** Checked as a call of the agent as a tool would be. */
export function withInput<W extends { readonly prompt?: string; readonly input?: JsonObject }>(
  wishes: W,
  definition: AgentDefinition | undefined,
): W {
  const { input } = wishes;
  if (input === undefined) return wishes;
  const name = definition?.name ?? "the lead";
  if (!definition?.inputSchema)
    throw new HostError(`${name} takes no input: give it a prompt instead`, "usage", "invalid-input");
  const problem = definitionTool(definition, definition.inputSchema).problem(input);
  if (problem) throw new HostError(`the input for ${name} does not fit: ${problem}`, "usage", "invalid-input");
  return { ...wishes, prompt: taskOfInput(input) };
}
