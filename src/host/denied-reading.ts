// Whether a rule denies reading a file, for files that are read before any agent is there to be judged.
import { realpathSync } from "node:fs";
import { type Places, type Rule, denies, fullPattern, ruleText } from "../core/rules.ts";

/** Why it is not read, as the end of a sentence. */
export function deniedReading(
  deny: readonly Rule[],
  places: Places,
): (real: string, asked: string) => string | undefined {
  const rules = deny.flatMap((rule) => [rule, ...targetOf(rule, places)]);
  return (path, asked) => {
    const rule = rules.find((one) => denies(one, "Read", [{ may: "read", path, asked }], places));
    return rule && `is denied by the rule ${ruleText(rule)}`;
  };
}

/** What a rule's own path leads to through links is meant, too. */
function targetOf(rule: Rule, places: Places): Rule[] {
  if (rule.spec === undefined || !["Read", "Edit", "Write"].includes(rule.tool)) return [];
  const parts = fullPattern(rule.spec, places).split("/");
  const wild = parts.findIndex((part) => /[*?]/.test(part));
  const fixed = parts.slice(0, wild < 0 ? undefined : wild).join("/");
  try {
    const real = realpathSync(fixed === "" ? "/" : fixed);
    return real === fixed
      ? []
      : [{ tool: rule.tool, spec: `/${[real, ...(wild < 0 ? [] : parts.slice(wild))].join("/")}` }];
  } catch {
    return [];
  }
}
