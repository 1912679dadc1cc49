// Callbacks of the embedding program as the person whom agents ask.
import type { Question } from "../ports/inbox.ts";
import type { Approval, Asker, Decision, Person } from "../ports/person.ts";

/** What an agent wants to know, and which agent it is. */
export type AgentQuestion = Question & Asker;

/** Who answers when a call asks. The signal is aborted when the answer is not wanted any more. */
export type PersonCallbacks = {
  /** The exact call, who makes it and why it asks. `false`, or a reason, refuses; the model is told. */
  approve(approval: Approval, signal: AbortSignal): boolean | Decision | Promise<boolean | Decision>;
  /** An agent's question. Without this a run that asks parks, and goes on after `sous inbox answer`. */
  answer?(question: AgentQuestion, signal: AbortSignal): string | Promise<string>;
};

export function personOf({ approve, answer }: PersonCallbacks): Person {
  return {
    async decide(approval, signal) {
      const decision = await approve(approval, signal);
      if (typeof decision !== "boolean") return decision;
      return decision ? { allow: true } : { allow: false, reason: "the person said no" };
    },
    ...(answer && { reply: async (question, signal) => answer(question, signal) }),
  };
}
