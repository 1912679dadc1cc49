// Callbacks of the embedding program as the person whom agents ask.
import type { AgentPath } from "../core/ids.ts";
import type { Question } from "../ports/inbox.ts";
import type { Approval, Decision, Person } from "../ports/person.ts";

/** Who answers when a call asks. Without one, what asks is refused, and the refusal names the rule that would allow it. */
export type PersonCallbacks = {
  /** The exact call, who makes it and why it asks. `false`, or a reason, refuses; the model is told. */
  approve(approval: Approval, signal: AbortSignal): boolean | Decision | Promise<boolean | Decision>;
  /** An agent's question. Without this a run that asks parks, and goes on after `sous inbox answer`. */
  answer?(question: Question & { readonly path: AgentPath }, signal: AbortSignal): string | Promise<string>;
};

export function personOf({ approve, answer: answerOf }: PersonCallbacks): Person {
  return {
    ...(answerOf && { reply: async (question, signal) => answerOf(question, signal) }),
    async decide(approval, signal) {
      const answer = await approve(approval, signal);
      if (typeof answer !== "boolean") return answer;
      return answer ? { allow: true } : { allow: false, reason: "the person said no" };
    },
    act: () => Promise.reject(new Error("mode human needs a terminal: use confirm or yolo")),
  };
}
