// Whether an agent may spawn, and whom. A child may only when its definition says so, down to a depth. Pure.
import { lookupKey } from "./agent-names.ts";
import type { AgentDefinition, AgentFields } from "./definition.ts";

export const DEFAULT_MAX_DEPTH = 3;

export type Spawning =
  { readonly may: true; readonly agents: "*" | readonly string[] } | { readonly may: false; readonly because: string };

/** `depth` is the agent's own: 0 is the lead. */
export function maySpawn(
  definition: Pick<AgentDefinition, "spawns" | "capabilities" | "tools"> & {
    readonly ceiling?: AgentDefinition["ceiling"];
  },
  depth: number,
  maxDepth: number = DEFAULT_MAX_DEPTH,
): Spawning {
  if (depth >= maxDepth)
    return { may: false, because: `agents may nest ${maxDepth} deep, and this one is at ${depth}` };
  const declared = declaredSpawns(definition);
  if (depth === 0) return { may: true, agents: declared ?? "*" };
  if (declared === undefined)
    return { may: false, because: "its definition declares neither `spawns` nor the capability orchestrator" };
  if (definition.ceiling && declaredSpawns(definition.ceiling) === undefined)
    return { may: false, because: "the built-in whose name it has may not spawn" };
  return { may: true, agents: declared };
}

type Declares = Pick<AgentFields, "spawns" | "capabilities" | "tools">;

/** `spawns`, or Claude Code's `Agent(a, b)` in the tool list; where both stand, both must allow. */
function declaredSpawns({ spawns, capabilities, tools }: Declares): "*" | readonly string[] | undefined {
  const restricted =
    tools === "inherit" ? [] : tools.filter(({ tool, spec }) => isSpawnName(tool) && spec !== undefined);
  const listed = restricted.flatMap(({ spec }) => (spec ?? "").split(",").map((name) => name.trim()));
  const declared = spawns.length > 0 ? spawns : capabilities.includes("orchestrator") ? "*" : undefined;
  if (restricted.length === 0) return declared;
  if (declared === undefined || declared === "*") return listed;
  const keys = declared.map(lookupKey);
  return listed.filter((name) => keys.includes(lookupKey(name)));
}

/** Whether others may spawn it: one that only leads or watches is nobody's child. */
export const isSpawnable = ({ capabilities }: Pick<AgentFields, "capabilities">): boolean =>
  capabilities.some((capability) => capability === "subtask" || capability === "orchestrator");

/** Tools that start children, or decide on what they left. Definitions that are tools of their own are marked as such by who offers them. */
const SPAWN_TOOLS = new Set([
  "spawn_subagent",
  "spawn_foreach",
  "child_changes",
  "request_review",
  "oracle",
  "orchestrate",
]);
export const isSpawnTool = (name: string): boolean => SPAWN_TOOLS.has(name);

/** Names by which lists and rules mean the spawn tool. */
export const isSpawnName = (name: string): boolean => /^(task|agent|spawn_subagent)$/i.test(name);
