// yield_to_parent: ends a child at once, with its result. Only children have it.
import { Type } from "typebox";
import { text } from "../../core/messages.ts";
import { defineTool } from "./define-tool.ts";

export const yieldToParent = defineTool({
  name: "yield_to_parent",
  description: "Ends your work at once; result is your whole report, instead of a last message.",
  input: Type.Object({ result: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
  repeatable: true,
  reach: () => [],
  run: async (_world, { result }) => ({ ok: true, said: [text("Yielded.")], ends: { output: result } }),
});
