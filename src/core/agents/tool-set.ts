// Which tools a child gets: its parent's, narrowed by its definition, by the built-in whose name it has, and by the
// call; never more. A list that comes to nothing refuses. Pure.
import type { Rule } from "../rules.ts";
import { ruleText } from "../rules.ts";
import { lookupKey } from "./agent-names.ts";
import type { AgentDefinition, ToolGrant } from "./definition.ts";
import { isSpawnName, isSpawnTool, maySpawn, type Spawning } from "./may-spawn.ts";
import { readToolList } from "./tool-list.ts";
import { type OfferedTool, isReadOnly, matches } from "./tool-match.ts";

export type { OfferedTool } from "./tool-match.ts";

export type ToolCall = {
  /** As the call gives it: narrows only. */
  readonly tools?: unknown;
  /** The child's depth; 1 is a child of the lead. */
  readonly depth?: number;
  readonly maxDepth?: number;
};

/** Every narrowing of a tool must hold: one of its rules allows the call. */
export type Narrowing = { readonly tool: string; readonly allow: readonly Rule[] };

export type ToolSet =
  | {
      readonly ok: true;
      readonly tools: readonly string[];
      readonly narrowing: readonly Narrowing[];
      readonly deny: readonly Rule[];
      /** Tools of the definition's own MCP servers that its list names. */
      readonly ownServers: readonly Rule[];
      readonly spawning: Spawning;
      readonly unknown: readonly string[];
      /** What was left out, for people. */
      readonly notices: readonly string[];
    }
  | { readonly ok: false; readonly reason: string; readonly unknown: readonly string[] };

export function resolveTools(
  parent: readonly OfferedTool[],
  definition: AgentDefinition,
  call: ToolCall = {},
): ToolSet {
  const refuse = (reason: string, unknown: readonly string[] = []): ToolSet => ({ ok: false, reason, unknown });
  if (definition.launchable !== true)
    return refuse(`${definition.name} cannot be launched: ${definition.launchable.refused}`);
  const asked = readToolList(call.tools);
  if (asked.is === "unreadable") return refuse(`the tools of the call cannot be read: ${asked.why}`);

  const spawning = maySpawn(definition, call.depth ?? 1, call.maxDepth);
  const own = ownServerRules(definition);
  const layers = [
    narrow(parent, withSpawnTools(definition.tools, spawning, definition)),
    ...(definition.ceiling ? [narrow(parent, definition.ceiling.tools)] : []),
    ...(asked.is === "list" ? [narrow(parent, asked.rules)] : []),
  ];
  const [mine] = layers;
  const isOwn = (name: string): boolean => own.some((rule) => ruleText(rule) === name);
  const unknown = (mine?.unmatched ?? []).filter((name) => !isOwn(name));
  const misnamed = asked.is === "list" ? narrow(parent, asked.rules).unmatched.filter((name) => !isOwn(name)) : [];
  const denials = [
    ...definition.disallowedTools,
    ...(definition.ceiling?.disallowedTools ?? []),
    ...(asked.is === "list" ? asked.denied : []),
  ];
  const bare = denials.filter(({ spec }) => spec === undefined);

  const kept = parent.filter(
    (tool) => layers.every(({ allowed }) => allowed.has(tool.name)) && !bare.some((rule) => matches(rule.tool, tool)),
  );
  const spawners = spawning.may ? [] : kept.filter(startsChildren);
  const watching = definition.capabilities.includes("watcher");
  const tools = kept.filter(
    (tool) => !spawners.includes(tool) && mayCall(tool, spawning) && (!watching || isReadOnly(tool.name)),
  );
  const names = tools.map(({ name }) => name);

  const wanted = definition.tools !== "inherit" && definition.tools.length > 0;
  if (names.length === 0 && own.length === 0 && (wanted || asked.is === "list"))
    return refuse(emptySet(definition, [...new Set([...unknown, ...misnamed])], spawners), unknown);
  return {
    ok: true,
    tools: names,
    narrowing: layers.flatMap(({ narrowing }) => narrowing.filter(({ tool }) => names.includes(tool))),
    deny: denials.filter(({ spec }) => spec !== undefined),
    ownServers: own,
    spawning,
    unknown,
    notices: [
      ...(unknown.length > 0 ? [`${definition.name} names tools that are not there: ${unknown.join(", ")}`] : []),
      ...(misnamed.length > 0
        ? [`the call for ${definition.name} names tools that are not there: ${misnamed.join(", ")}`]
        : []),
      ...(wanted && spawners.length > 0 && !spawning.may
        ? [`${definition.name} gets no spawn tool: ${spawning.because}`]
        : []),
    ],
  };
}

export const grantText = (grant: ToolGrant): string =>
  grant === "inherit" ? "all of its parent" : grant.map(ruleText).join(", ") || "none";

type Layer = {
  readonly allowed: ReadonlySet<string>;
  readonly narrowing: readonly Narrowing[];
  readonly unmatched: readonly string[];
};

function narrow(parent: readonly OfferedTool[], grant: ToolGrant): Layer {
  if (grant === "inherit") return { allowed: new Set(parent.map(({ name }) => name)), narrowing: [], unmatched: [] };
  const rules = new Map<string, Rule[]>();
  const unmatched: string[] = [];
  for (const rule of grant) {
    const found = parent.filter((tool) => matches(rule.tool, tool));
    if (found.length === 0) unmatched.push(ruleText(rule));
    for (const { name } of found) rules.set(name, [...(rules.get(name) ?? []), { ...rule, tool: name }]);
  }
  const narrowing = [...rules]
    // A tool that is also named without a rule is named whole; whom a spawn tool may spawn is decided elsewhere.
    .filter(([tool, allow]) => !isSpawnTool(tool) && allow.every(({ spec }) => spec !== undefined))
    .map(([tool, allow]) => ({ tool, allow }));
  return { allowed: new Set(rules.keys()), narrowing, unmatched };
}

/** Who declares whom it spawns need not list the tool for it as well. */
function withSpawnTools(grant: ToolGrant, spawning: Spawning, { spawns }: AgentDefinition): ToolGrant {
  if (grant === "inherit" || !spawning.may || spawns.length === 0) return grant;
  const missing = ["spawn_subagent", "spawn_foreach"].filter((name) => !grant.some(({ tool }) => tool === name));
  return [...grant, ...missing.map((tool) => ({ tool }))];
}

const startsChildren = (tool: OfferedTool): boolean =>
  tool.spawns === true || isSpawnTool(tool.name) || isSpawnName(tool.name);

/** An agent that is a tool of its own is one for those who may spawn it. */
const mayCall = ({ name, isAgent }: OfferedTool, spawning: Spawning): boolean =>
  !isAgent ||
  !spawning.may ||
  spawning.agents === "*" ||
  spawning.agents.some((one) => lookupKey(one) === lookupKey(name));

function ownServerRules({ tools, mcpServers, ceiling }: AgentDefinition): readonly Rule[] {
  if (tools === "inherit" || ceiling) return [];
  return tools.filter(({ tool }) =>
    mcpServers.some(({ name }) => tool === `mcp__${name}` || tool.startsWith(`mcp__${name}__`)),
  );
}

function emptySet(definition: AgentDefinition, unknown: readonly string[], spawners: readonly OfferedTool[]): string {
  const why = [
    ...(unknown.length > 0 ? [`not there: ${unknown.join(", ")}`] : []),
    ...(spawners.length > 0 ? [`it may not spawn: ${spawners.map(({ name }) => name).join(", ")}`] : []),
  ].join("; ");
  return `${definition.name} cannot be launched: none of its tools is left (${grantText(definition.tools)}${why && `; ${why}`})`;
}
