// Callbacks of the embedding program as the person whom agents ask.
import type { Approval, Decision, Person } from "../ports/person.ts";

/** Who answers when a call asks. Without one, what asks is refused, and the refusal names the rule that would allow it. */
export type PersonCallbacks = {
  /** The exact call, who makes it and why it asks. `false`, or a reason, refuses; the model is told. */
  approve(approval: Approval, signal: AbortSignal): boolean | Decision | Promise<boolean | Decision>;
};

export function personOf({ approve }: PersonCallbacks): Person {
  return {
    async decide(approval, signal) {
      const answer = await approve(approval, signal);
      if (typeof answer !== "boolean") return answer;
      return answer ? { allow: true } : { allow: false, reason: "the person said no" };
    },
    act: () => Promise.reject(new Error("mode human needs a terminal: use confirm or yolo")),
  };
}
