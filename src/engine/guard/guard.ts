// Judges whether a call may run, within the bounds of one run. What is left to be asked goes to the inbox.
import type { JsonObject } from "../../core/json.ts";
import { type Question, type Reach, type Verdict, judge, meantBy } from "../../core/permissions.ts";

export type Asked = {
  readonly tool: string;
  readonly input: JsonObject;
  readonly reach: readonly Reach[];
} & Pick<Question, "mode" | "outcomeUnknown">;

export type Guard = {
  judge(asked: Asked): Verdict;
  /** Whether a rule denies reading this file, where it is found and not named. */
  hides(path: string): boolean;
};

export const createGuard = (bounds: Omit<Question, keyof Asked>): Guard => ({
  judge: (asked) => judge({ ...asked, ...bounds }),
  hides: (path) => bounds.rules.deny.some(meantBy({ ...bounds, tool: "Read", reach: [{ may: "read", path }] })),
});
