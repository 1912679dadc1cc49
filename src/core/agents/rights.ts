// What an agent may do as a child, tool by tool, with the layer that decides it: its parent, its definition, the
// person's rules, the mode. The same parts that a spawn and a verdict are made of, put together for people. Pure.
import type { Mode } from "../events.ts";
import { type Rule, type Rules, ruleText } from "../rules.ts";
import type { AgentDefinition } from "./definition.ts";
import type { Spawning } from "./may-spawn.ts";
import { type OfferedTool, grantText, resolveTools } from "./tool-set.ts";
import { isReadOnly } from "./tool-match.ts";

export type Right = {
  readonly tool: string;
  readonly is: "allowed" | "asks" | "denied" | "not given";
  readonly because: string;
};

export type RightsOptions = {
  /** What its parent has. */
  readonly offered: readonly OfferedTool[];
  readonly rules: Rules;
  /** What the person has allowed for good in the project. */
  readonly grants?: readonly Rule[];
  readonly mode: Mode;
  readonly maxDepth?: number;
};

export function rightsOf(definition: AgentDefinition, options: RightsOptions): readonly Right[] {
  const { offered, rules, grants = [], mode, maxDepth } = options;
  const set = resolveTools(offered, definition, maxDepth === undefined ? {} : { maxDepth });
  if (!set.ok) return offered.map(({ name }) => ({ tool: name, is: "not given", because: set.reason }));
  return offered.map(({ name }): Right => {
    if (!set.tools.includes(name))
      return { tool: name, is: "not given", because: whyNot(name, definition, set.spawning) };
    const only = set.narrowing.filter(({ tool }) => tool === name).map(({ allow }) => allow.map(ruleText).join(", "));
    const also = [
      ...(only.length > 0 ? [`its definition gives it only ${only.join(" and ")}`] : []),
      ...named(set.deny, name).map((rule) => `its definition denies ${ruleText(rule)}`),
      ...named(rules.deny, name).map((rule) => `your rule ${ruleText(rule)} denies`),
      ...named(rules.ask, name).map((rule) => `your rule ${ruleText(rule)} asks`),
      ...named(rules.allow, name).map((rule) => `your rule ${ruleText(rule)} allows`),
      ...grants.filter((rule) => means(rule, name)).map((rule) => `you always allow ${ruleText(rule)} here`),
    ];
    const first = base(name, rules, mode);
    return { tool: name, is: first.is, because: [first.because, ...also].join("; ") };
  });
}

function base(tool: string, rules: Rules, mode: Mode): Pick<Right, "is" | "because"> {
  const whole = (list: readonly Rule[]): Rule | undefined => named(list, tool).find(({ spec }) => spec === undefined);
  if (whole(rules.deny)) return { is: "denied", because: "in every mode" };
  if (isReadOnly(tool)) return { is: "allowed", because: "it only reads, inside the workspace" };
  if (whole(rules.allow)) return { is: "allowed", because: "inside the workspace" };
  if (!ACTING.has(tool)) return { is: "allowed", because: "it touches nothing by itself" };
  if (mode === "yolo") return { is: "allowed", because: "the mode is yolo" };
  const reads = tool === "Bash" ? ", but for commands that only read the workspace" : "";
  return { is: "asks", because: `the mode is ${mode}${reads}; nobody there means no` };
}

const ACTING: ReadonlySet<string> = new Set(["Bash", "Write", "Edit", "WebFetch"]);
const named = (rules: readonly Rule[], tool: string): readonly Rule[] => rules.filter((rule) => rule.tool === tool);

/** A grant for Edit is for every tool that writes files. */
const means = (rule: Rule, tool: string): boolean => rule.tool === tool || (rule.tool === "Edit" && tool === "Write");

function whyNot(
  tool: string,
  { tools, disallowedTools, ceiling, capabilities }: AgentDefinition,
  spawning: Spawning,
): string {
  if (disallowedTools.some((rule) => rule.tool === tool && rule.spec === undefined))
    return "its definition disallows it";
  if (tools !== "inherit" && !tools.some((rule) => rule.tool === tool))
    return `its definition lists only ${grantText(tools)}`;
  if (ceiling) return "the built-in whose name it has does not have it";
  if (capabilities.includes("watcher")) return "a watcher only reads";
  return spawning.may ? "its definition does not give it" : `it may not spawn: ${spawning.because}`;
}
