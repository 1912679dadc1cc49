// Which rules name a tool that there is: one that names none would hold nothing, without a word. Pure.
import { nearest } from "../std/nearest.ts";
import { type Rule, type Rules, ruleText } from "./rules.ts";

/** Tools of Claude Code that there are not here: rules made for both name them too. */
const ELSEWHERE: readonly string[] = (
  "MultiEdit NotebookEdit NotebookRead WebSearch TodoRead ExitPlanMode EnterPlanMode SlashCommand Skill ToolSearch LSP " +
  "PowerShell Monitor TaskCreate TaskUpdate TaskList TaskGet TaskOutput TaskStop AgentOutputTool BashOutputTool " +
  "SendMessage TeamCreate TeamDelete EnterWorktree ExitWorktree CronCreate CronDelete CronList ListMcpResourcesTool " +
  "ReadMcpResourceTool StructuredOutput"
).split(" ");

export type UnknownRule = { readonly kind: keyof Rules; readonly rule: Rule; readonly close: string | undefined };

/** `names`: of all tools that any agent of the run can have, other names of theirs included. */
export function unknownRules(rules: Rules, names: readonly string[]): UnknownRule[] {
  const known = new Set([...names, ...ELSEWHERE]);
  const all = (["allow", "ask", "deny"] as const).flatMap((kind) => rules[kind].map((rule) => ({ kind, rule })));
  return all
    .filter(({ rule: { tool } }) => !known.has(tool) && !tool.startsWith("mcp__"))
    .map((one) => ({ ...one, close: nearest(one.rule.tool, [...names]) }));
}

/** What a person is told of it. */
export const unknownRuleText = ({ kind, rule, close }: UnknownRule): string =>
  `the ${kind} rule ${ruleText(rule).slice(0, 80)} holds nothing: there is no tool "${rule.tool.slice(0, 40)}"${close ? `; did you mean ${close}?` : ""}`;
