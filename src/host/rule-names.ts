// Rules that name no tool: of the person's wishes they are errors; of a configuration, which may be made for other
// tools too, only what was most likely meant for one of ours is told.
import type { OfferedTool } from "../core/agents/tool-set.ts";
import { builtIns } from "../core/agents/built-ins.ts";
import { type UnknownRule, unknownRuleText, unknownRules } from "../core/rule-tools.ts";
import { type Rules, TOOL_GROUPS, noRules, parseRule } from "../core/rules.ts";
import { knownTools, leadTools } from "./agents/tool-names.ts";
import { HostError } from "./host-error.ts";

export function mustNameTools(rules: Rules, tools: readonly OfferedTool[]): void {
  const [first] = unknownRules(rules, namesOf(tools));
  if (first) throw new HostError(`${unknownRuleText(first)} (tools: ${standard()}, or mcp__…)`);
}

/** Where nothing runs yet: the tools of Sous and of its own agents are known, those that a program adds are not. */
export function mustNameKnownTools(texts: readonly string[]): void {
  const allow = texts.flatMap((text) => parseRule(text) ?? []);
  const names = [
    ...namesOf([]),
    ...builtIns().flatMap(({ name, fields }) => (fields.inputSchema ? [name] : [])),
    ...Object.keys(TOOL_GROUPS),
  ];
  const [found] = unknownRules({ ...noRules, allow }, names);
  if (found)
    throw new HostError(
      `${unknownRuleText(found)} (tools: ${standard()}, or mcp__…; --yes for one that a program of yours adds)`,
    );
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
