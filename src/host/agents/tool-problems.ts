// What is wrong with the tools a definition names, and what they leave of its ways to act and to end: as it is when it
// is launched by a lead.
import type { AgentDefinition, Problem } from "../../core/agents/definition.ts";
import { resolveTools } from "../../core/agents/tool-set.ts";
import type { Tool } from "../../engine/tools/define-tool.ts";
import { exitRules, exitWish } from "../exit-rules.ts";
import { ownTools } from "../lead-tools.ts";
import { noBash } from "../protocol.ts";
import { knownTools, leadTools } from "./tool-names.ts";

export function toolProblems(definition: AgentDefinition): Problem[] {
  const servers = definition.tools === "inherit" ? [] : definition.tools.filter(({ tool }) => tool.startsWith("mcp__"));
  const offered = [
    ...knownTools,
    ...servers.map(({ tool }) => ({ name: tool.replace(/\*?$/, "__any") })),
    ...servers.map(({ tool }) => ({ name: tool })),
  ];
  // As if it could be launched: what else is wrong with it is told beside this.
  const set = resolveTools(offered, { ...definition, launchable: true });
  const { lines = {}, source } = definition;
  const at = (field: keyof typeof lines): number => lines[field] ?? source.line ?? 1;
  const error = (line: number, message: string): Problem => ({ line, message, severity: "error" });
  const notices = set.ok
    ? set.notices.map((message): Problem => ({ line: at("tools"), message, severity: "warning" }))
    : [];
  if (definition.launchable !== true) {
    const named = definition.tools === "inherit" || definition.tools.length === 0 ? [] : definition.tools;
    return set.ok || named.length === 0 ? notices : [error(at("tools"), set.reason)];
  }
  const granted = resolveTools(leadTools, definition);
  if (!granted.ok) return [error(at("tools"), granted.reason)];
  return [
    ...notices,
    ...waysToAct(
      definition,
      ownTools.filter(({ name }) => granted.tools.includes(name)),
    ).map((message) => error(at("exitVia"), message)),
  ];
}

function waysToAct(definition: AgentDefinition, tools: readonly Tool[]): string[] {
  const { name, protocol = "tools" } = definition;
  if (protocol === "bash" && !tools.some((tool) => tool.name === "Bash")) return [noBash(name)];
  const exit = exitRules(exitWish(definition), tools, protocol);
  return "problem" in exit ? [`exitVia: ${exit.problem}`] : [];
}
