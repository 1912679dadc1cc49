// The rules, folders and effort a person gave with a session: they hold whenever it goes on, whoever goes on with it.
import { realpath } from "node:fs/promises";
import type { Approvals, StandingPermissions } from "../core/events.ts";
import { hasMask } from "../core/mask.ts";
import { type Rule, type Rules, noRules, ruleText } from "../core/rules.ts";
import type { Effort } from "../ports/model.ts";
import { isEffort } from "./children.ts";

export type Standing = {
  readonly rules: Rules;
  readonly addDirs: readonly string[];
  readonly effort?: Effort;
  readonly approvals?: Approvals;
};

/** What was denied or to be asked stays so; what was allowed stays until something else is allowed. */
export function joinStanding(recorded: StandingPermissions, wished: Standing): Standing {
  const rules = recorded.rules ?? noRules;
  const effort = wished.effort ?? recorded.effort;
  const approvals = wished.approvals ?? recorded.approvals;
  return {
    rules: {
      allow: wished.rules.allow.length > 0 ? wished.rules.allow : rules.allow.filter((rule) => !isMasked(rule)),
      ask: union(rules.ask.map(widened), wished.rules.ask),
      deny: union(rules.deny.map(widened), wished.rules.deny),
    },
    addDirs: wished.addDirs.length > 0 ? wished.addDirs : (recorded.addDirs ?? []),
    ...(isEffort(effort) && { effort }),
    ...(approvals && { approvals }),
  };
}

/** As it is recorded: without what is empty. */
export function toRecord({ rules, addDirs, effort, approvals }: Standing): StandingPermissions {
  const any = rules.allow.length + rules.ask.length + rules.deny.length > 0;
  return {
    ...(any && { rules }),
    ...(addDirs.length > 0 && { addDirs }),
    ...(effort !== undefined && { effort }),
    ...(approvals && { approvals }),
  };
}

export const isSame = (a: StandingPermissions, b: StandingPermissions): boolean =>
  JSON.stringify(parts(a)) === JSON.stringify(parts(b));
const parts = ({ rules, addDirs, effort, approvals }: StandingPermissions) => [rules, addDirs, effort, approvals];

/** Those that are still the folders they were: a link in their place would lead elsewhere. */
export async function stillThere(
  folders: readonly string[],
  notice: (words: string) => void,
): Promise<readonly string[]> {
  const found = await Promise.all(folders.map((folder) => realpath(folder).catch(() => undefined)));
  return folders.filter((folder, at) => {
    if (found[at] === folder) return true;
    notice(`the added folder ${folder} is not there any more; left out`);
    return false;
  });
}

/** A rule whose words were masked is known by its tool only: to keep denying, it must reach as far as that. */
const widened = (rule: Rule): Rule => (isMasked(rule) ? { tool: rule.tool } : rule);
const isMasked = ({ spec }: Rule): boolean => spec !== undefined && hasMask(spec);

const union = (a: readonly Rule[], b: readonly Rule[]): Rule[] => [
  ...new Map([...a, ...b].map((rule) => [ruleText(rule), rule])).values(),
];
