// Asks whether a call may run: the pure verdict first, then, when that is `ask`, the person. Nobody there means no.
import type { AgentPath } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import { type Question, type Reach, type Verdict, judge } from "../../core/permissions.ts";
import type { Decision, Person } from "../../ports/person.ts";

export type Asked = {
  readonly path: AgentPath;
  readonly tool: string;
  readonly input: JsonObject;
  readonly reach: readonly Reach[];
} & Pick<Question, "mode" | "outcomeUnknown">;

export type Guard = {
  judge(asked: Asked): Verdict;
  /** Only for a verdict that asks. */
  ask(asked: Asked, verdict: Extract<Verdict, { is: "ask" }>, signal: AbortSignal): Promise<Decision>;
};

export function createGuard(
  bounds: Pick<Question, "roots" | "rules" | "places" | "narrowing" | "memory" | "beyond" | "trusted">,
  person?: Person,
): Guard {
  return {
    judge: (asked) => judge({ ...asked, ...bounds }),
    ask: async ({ path, tool, input, reach }, { is: _is, ...why }, signal) =>
      person
        ? person.decide({ path, tool, input, reach, ...why }, signal)
        : {
            allow: false,
            reason: `${why.because}, and nobody is there to ask; the rule ${why.allowWith} would allow it`,
          },
  };
}
