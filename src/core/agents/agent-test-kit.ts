// Definitions in a word, for tests.
import type { AgentDefinition, AgentFields, DefinitionSource } from "./definition.ts";
import { type Draft, definitionOf } from "./draft.ts";

export function draft(name: string, fields: Partial<AgentFields> = {}, source: Partial<DefinitionSource> = {}): Draft {
  return {
    name,
    source: { kind: "user", priority: 20, ...source },
    form: "whole",
    fields: { description: `${name} does things`, prompt: "Do.", ...fields },
    metadata: {},
    problems: [],
    refusals: [],
    recovered: false,
  };
}

export const agent = (
  name: string,
  fields: Partial<AgentFields> = {},
  source: Partial<DefinitionSource> = {},
): AgentDefinition => definitionOf(draft(name, fields, source));

export const tools = (...names: readonly string[]) => names.map((tool) => ({ tool }));
