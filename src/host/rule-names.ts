// Rules that name no tool: of the person's wishes they are errors; of a configuration, which may be made for other
// tools too, only what was most likely meant for one of ours is told.
import type { OfferedTool } from "../core/agents/tool-set.ts";
import { type UnknownRule, unknownRuleText, unknownRules } from "../core/rule-tools.ts";
import { type Rules, noRules, parseRule } from "../core/rules.ts";
import { knownTools, leadTools } from "./agents/tool-names.ts";
import { HostError } from "./host-error.ts";

export function mustNameTools(rules: Rules, tools: readonly OfferedTool[]): void {
  const [first] = unknownRules(rules, namesOf(tools));
  if (first) throw new HostError(`${unknownRuleText(first)} (tools: ${standard()}, or mcp__…)`);
}

/** Where the tools of agents are not known: what is no near miss may be one of theirs. */
export function mustNotBeMisspelt(texts: readonly string[]): void {
  const allow = texts.flatMap((text) => parseRule(text) ?? []);
  const found = unknownRules({ ...noRules, allow }, namesOf([])).find(({ close }) => close !== undefined);
  if (found) throw new HostError(unknownRuleText(found));
}

/** Sentences for the person. */
export const doubtfulRules = (rules: Rules, tools: readonly OfferedTool[]): string[] =>
  unknownRules(rules, namesOf(tools))
    .filter(isDoubtful)
    .map((one) => `in the configuration, ${unknownRuleText(one)}`);

const isDoubtful = ({ kind, close }: UnknownRule): boolean => kind === "deny" || close !== undefined;

/** Children have some that the lead has not. */
const namesOf = (tools: readonly OfferedTool[]): string[] => [
  ...new Set([...tools, ...leadTools, ...knownTools].flatMap(({ name, aliases = [] }) => [name, ...aliases])),
];

const standard = (): string => leadTools.map(({ name }) => name).join(", ");
