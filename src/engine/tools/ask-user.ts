// ask_user: puts a question to the person and waits. The open call stands for the item in the inbox.
import { Type } from "typebox";
import { text } from "../../core/messages.ts";
import type { ToolOutcome } from "../../core/tool-outcome.ts";
import type { Question } from "../../ports/inbox.ts";
import { type LeftOpen, type ToolWorld, defineTool } from "./define-tool.ts";

/** A person takes the time they take. */
const NO_LIMIT_MS = 2 ** 40;
const waits = { repeatable: true, lasting: true, parallel: true, timeoutMs: NO_LIMIT_MS, reach: () => [] } as const;
const UNANSWERED = "No answer came. Go on by your own judgement, and say so in your report.";
const words = Type.String({ minLength: 1 });

export const askUser = defineTool({
  ...waits,
  waitsFor: "person",
  name: "ask_user",
  aliases: ["AskUserQuestion"],
  description: "Asks the person and waits for the answer. Only for what you cannot find out.",
  input: Type.Object(
    { question: words, options: Type.Optional(Type.Array(Type.String(), { maxItems: 20 })) },
    { additionalProperties: false },
  ),
  run: (world, input) =>
    asked(world, {
      to: "person",
      text: input.question,
      ...(input.options && input.options.length > 0 && { options: input.options }),
    }),
});

/** Only children have it. */
export const askParent = defineTool({
  ...waits,
  waitsFor: "parent",
  name: "ask_parent",
  description: "Asks your parent and waits for the answer.",
  input: Type.Object({ question: words }, { additionalProperties: false }),
  run: (world, input) => asked(world, { to: "parent", text: input.question }),
});

async function asked({ inbox, call, signal }: ToolWorld, question: Question): Promise<ToolOutcome | LeftOpen> {
  const answer = await inbox.ask(question, call, signal);
  if (answer === "parked") return "left open";
  if (answer !== "no answer") return { ok: true, said: [text(answer.text)] };
  return { ok: false, why: "failed", said: [text(UNANSWERED)] };
}
