// TodoWrite: the agent's own list. It lives in the record of the call; surfaces show it from there.
import { Type } from "typebox";
import { text } from "../../core/messages.ts";
import { defineTool } from "./define-tool.ts";

export const todoWrite = defineTool({
  name: "TodoWrite",
  description: "Keeps your list of steps for work of several; give the whole list each time.",
  input: Type.Object(
    {
      todos: Type.Array(
        Type.Object(
          {
            content: Type.String({ minLength: 1 }),
            status: Type.Union([Type.Literal("pending"), Type.Literal("in_progress"), Type.Literal("completed")]),
            activeForm: Type.Optional(Type.String()),
          },
          { additionalProperties: false },
        ),
        { maxItems: 200 },
      ),
    },
    { additionalProperties: false },
  ),
  repeatable: true,
  timeoutMs: 5_000,
  reach: () => [],
  run: async (_world, { todos }) => {
    const count = (status: string): number => todos.filter((todo) => todo.status === status).length;
    const said = `${todos.length} steps: ${count("completed")} completed, ${count("in_progress")} in progress, ${count("pending")} pending`;
    return { ok: true, said: [text(said)] };
  },
});
