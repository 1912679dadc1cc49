// Rules that deny or ask hold for the files they mean: where a rule's own path leads through a link, what it leads to
// is meant too.
import { realPath } from "../adapters/workspaces/real-path.ts";
import { type Places, type Rule, type Rules, fullPattern } from "../core/rules.ts";

export async function realRules(rules: Rules, places: Places): Promise<Rules> {
  const both = async (list: readonly Rule[]): Promise<Rule[]> =>
    (await Promise.all(list.map((rule) => withTarget(rule, places)))).flat();
  return { ...rules, ask: await both(rules.ask), deny: await both(rules.deny) };
}

async function withTarget(rule: Rule, places: Places): Promise<Rule[]> {
  if (rule.spec === undefined || !["Read", "Edit", "Write"].includes(rule.tool)) return [rule];
  const parts = fullPattern(rule.spec, places).split("/");
  const wild = parts.findIndex((part) => /[*?]/.test(part));
  const fixed = parts.slice(0, wild < 0 ? undefined : wild).join("/");
  const real = await realPath(fixed === "" ? "/" : fixed);
  if (real === fixed) return [rule];
  return [rule, { tool: rule.tool, spec: `/${[real, ...(wild < 0 ? [] : parts.slice(wild))].join("/")}` }];
}
