// A child's system prompt: its definition, where it is, and the project's instructions unless it does without.
import type { AgentDefinition } from "./agents/definition.ts";
import type { Surroundings } from "./system-prompt.ts";

export function childPrompt(definition: AgentDefinition, about: Surroundings): string {
  const place = `Folder: ${about.cwd}\nPlatform: ${about.platform}\nDate: ${about.date}`;
  const told =
    definition.omitInstructions || !about.instructions
      ? ""
      : `\n\nInstructions for this project:\n${about.instructions}`;
  return `${definition.prompt.trim()}

You are a child agent: your last message is your whole report to the agent that called you. Say only what you saw.
${place}${told}`;
}
