// What is wrong with the tools a definition names: known before it is launched.
import type { AgentDefinition, Problem } from "../../core/agents/definition.ts";
import { resolveTools } from "../../core/agents/tool-set.ts";
import { knownTools } from "./tool-names.ts";

export function toolProblems(definition: AgentDefinition): Problem[] {
  if (definition.launchable !== true) return [];
  const servers = definition.tools === "inherit" ? [] : definition.tools.filter(({ tool }) => tool.startsWith("mcp__"));
  const offered = [
    ...knownTools,
    ...servers.map(({ tool }) => ({ name: tool.replace(/\*?$/, "__any") })),
    ...servers.map(({ tool }) => ({ name: tool })),
  ];
  const set = resolveTools(offered, definition);
  const line = definition.source.line ?? 1;
  if (!set.ok) return [{ line, message: set.reason, severity: "error" }];
  return set.notices.map((message) => ({ line, message, severity: "warning" }));
}
