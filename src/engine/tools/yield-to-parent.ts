// yield_to_parent: ends a child at once, with its result. Only children have it, and a lead that may end by nothing else.
import { Type } from "typebox";
import type { ExitRules } from "../../core/events.ts";
import type { JsonObject } from "../../core/json.ts";
import { text } from "../../core/messages.ts";
import { type Judged, judgeYield } from "../../core/results/judge-result.ts";
import { YIELD } from "../../core/results/ways-out.ts";
import type { ToolOutcome } from "../../core/tool-outcome.ts";
import { type Tool, defineTool } from "./define-tool.ts";

export const yieldToParent = defineTool({
  name: YIELD,
  description: "Ends your work at once; result is your whole report, instead of a last message.",
  input: Type.Object({ result: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
  repeatable: true,
  reach: () => [],
  run: async (_world, { result }) => ({ ok: true, said: [text("Yielded.")], ends: { output: result } }),
});

/** The one that fits how the agent has to end, if it has one at all. */
export function yieldFor({ outputSchema, exitVia }: ExitRules = {}): Tool[] {
  if (exitVia && !exitVia.includes(YIELD)) return [];
  return [outputSchema ? structuredYield(outputSchema) : yieldToParent];
}

/** What does not fit is judged in its run and not before: how often an agent tries is counted. */
function structuredYield(schema: JsonObject): Tool {
  return {
    ...yieldToParent,
    description: "Ends your work at once with your result.",
    schema: { type: "object", properties: { result: schema }, required: ["result"] },
    exactSchema: true,
    problem: () => undefined,
    run: async (_world, input) =>
      handedIn(judgeYield(schema, input), JSON.stringify(input["result"] ?? input), (said) => said),
  };
}

/** What becomes of a result that was judged. */
export function handedIn(judged: Judged, given: string, told: (said: string, code: 0 | 1) => string): ToolOutcome {
  if (judged.fits)
    return {
      ok: true,
      said: [text(told("Yielded.", 0))],
      ends: { output: judged.output, structured: judged.structured },
    };
  const { problem } = judged;
  const said = [text(told(`Your result is not accepted: ${problem}. Hand it in again.`, 1))];
  return { ok: false, why: "failed", said, rejected: { output: given, problem } };
}
