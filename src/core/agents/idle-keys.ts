// What stands in definitions and does nothing: keys that are not used yet, and names of agents that nobody has. Pure.
import { nearest } from "../../std/nearest.ts";
import type { Assembled } from "./assemble.ts";
import type { AgentDefinition, Problem } from "./definition.ts";

export function idleKeys(definition: AgentDefinition, find: Assembled["find"], names: readonly string[]): Problem[] {
  const { skills, mcpServers, spawns, triggers, lines = {}, source } = definition;
  const at = (field: keyof typeof lines): number => lines[field] ?? source.line ?? 1;
  const warn = (line: number, message: string): Problem => ({ line, message, severity: "warning" });
  const nobody = spawns === "*" ? [] : spawns.filter((name) => find(name) === undefined);
  return [
    ...(skills.length > 0 ? [warn(at("skills"), "skills are read and do nothing yet")] : []),
    ...(mcpServers.length > 0 ? [warn(at("mcpServers"), "mcpServers are read and do nothing yet")] : []),
    ...((triggers?.slash.length ?? 0) + (triggers?.hotkeys.length ?? 0) > 0
      ? [warn(at("triggers"), "triggers are read and do nothing yet")]
      : []),
    ...nobody.map((name) =>
      warn(at("spawns"), `spawns names "${name}", and there is no such agent${hint(name, names)}`),
    ),
  ];
}

function hint(name: string, names: readonly string[]): string {
  const close = nearest(name, names);
  return close ? `; did you mean ${close}?` : "";
}
