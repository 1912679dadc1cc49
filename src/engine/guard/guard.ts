// Asks whether a call may run: the pure verdict first, then, when that is `ask`, a person. Nobody there means no.
import type { Mode } from "../../core/events.ts";
import { type Reach, type Rules, judge } from "../../core/permissions.ts";

export type Asked = {
  readonly tool: string;
  readonly reach: readonly Reach[];
  readonly mode: Mode;
  readonly outcomeUnknown: boolean;
};
export type Ruling = { readonly allowed: true } | { readonly allowed: false; readonly because: string };

export type Guard = { rule(asked: Asked): Promise<Ruling> };

export function createGuard(bounds: { readonly roots: readonly string[]; readonly rules: Rules }): Guard {
  return {
    async rule(asked) {
      const verdict = judge({ ...asked, ...bounds });
      if (verdict.is === "allow") return { allowed: true };
      if (verdict.is === "deny") return { allowed: false, because: verdict.because };
      return {
        allowed: false,
        because: `${verdict.because}, and nobody is there to ask; the rule ${verdict.allowWith} would allow it`,
      };
    },
  };
}
