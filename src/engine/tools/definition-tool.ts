// A definition with an input schema as a tool of its own: the call spawns that agent with its input as the task.
import type { TSchema } from "typebox";
import type { AgentDefinition } from "../../core/agents/definition.ts";
import { taskOfInput } from "../../core/agents/task-of-input.ts";
import type { JsonObject } from "../../core/json.ts";
import { valueProblem } from "../../core/results/value-problem.ts";
import { defineTool, type Tool } from "./define-tool.ts";
import { NO_LIMIT_MS, spawnAndReport, spawnReach } from "./spawn-subagent.ts";

export function definitionTool(definition: AgentDefinition, inputSchema: JsonObject): Tool {
  const tool = defineTool({
    name: definition.name,
    description: definition.description,
    // Safe: what a definition gives as its schema is JSON Schema, which is all that a typebox schema is.
    input: inputSchema as unknown as TSchema,
    repeatable: true,
    lasting: true,
    waitsFor: "child",
    parallel: true,
    timeoutMs: NO_LIMIT_MS,
    reach: () => [spawnReach(definition.name)],
    run: (world, input) =>
      spawnAndReport(world, { prompt: taskOfInput(input as JsonObject), agent: definition.name, background: false }),
  });
  // Somebody else wrote its patterns: they are matched in linear time only.
  return { ...tool, problem: (input) => valueProblem(inputSchema, input) };
}
