// Puts the drafts of all sources together: who wins, what it shadows, what is laid over what.
import { lookupKey, stemOf } from "./agent-names.ts";
import { type AgentDefinition, type Ceiling, PRIORITY, type Problem } from "./definition.ts";
import { type Draft, definitionOf, layOver } from "./draft.ts";
import { grantText } from "./tool-set.ts";

export type Assembled = {
  /** One for each name, built-ins first, then by name. Also those that refuse to launch. */
  readonly definitions: readonly AgentDefinition[];
  /** By case- and separator-insensitive name or alias; and by its file's name or without its plugin's, where only one fits. */
  find(name: string): AgentDefinition | undefined;
  /** Where `find` has none because several fit: those. */
  alike(name: string): readonly AgentDefinition[];
  /** All that finds a definition, its own name first. */
  namesOf(definition: AgentDefinition): readonly [string, ...string[]];
  /** What a definition replaces or is laid over, the nearest first. */
  shadowedBy(definition: AgentDefinition): readonly AgentDefinition[];
};

export function assemble(drafts: readonly Draft[]): Assembled {
  const groups = Map.groupBy(drafts.map(named), ({ name }) => lookupKey(name));
  const byKey = new Map<string, AgentDefinition>();
  const shadows = new Map<AgentDefinition, readonly AgentDefinition[]>();
  for (const [key, group] of groups) {
    const ranked = group.toSorted(byRank);
    const definition = settle(ranked);
    byKey.set(key, definition);
    shadows.set(definition, ranked.slice(0, -1).toReversed().map(definitionOf));
  }
  const definitions = [...byKey.values()].toSorted(
    (a, b) => Number(b.source.priority === 0) - Number(a.source.priority === 0) || compare(a.name, b.name),
  );
  const further = Map.groupBy(
    definitions.flatMap((definition) => furtherNames(definition).map((name) => ({ name, definition }))),
    ({ name }) => lookupKey(name),
  );
  const alike = (name: string): AgentDefinition[] => [
    ...new Set(further.get(lookupKey(name))?.map(({ definition }) => definition)),
  ];
  const find = (name: string): AgentDefinition | undefined => {
    const own = byKey.get(lookupKey(name));
    if (own) return own;
    const found = alike(name);
    return found.length === 1 ? found[0] : undefined;
  };
  return {
    definitions,
    find,
    alike: (name) => (find(name) ? [] : alike(name)),
    namesOf: (definition) => [
      definition.name,
      ...furtherNames(definition).filter((name) => find(name) === definition && name !== definition.name),
    ],
    shadowedBy: (definition) => shadows.get(definition) ?? [],
  };
}

function named(draft: Draft): Draft {
  const { plugin } = draft.source;
  return plugin === undefined ? draft : { ...draft, name: `${plugin}:${draft.name}` };
}

/** Lowest first. In one folder the first path wins, so it comes last. */
function byRank(a: Draft, b: Draft): number {
  return (
    a.source.priority - b.source.priority ||
    (a.source.order ?? 0) - (b.source.order ?? 0) ||
    compare(b.source.file ?? "", a.source.file ?? "")
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function settle(ranked: readonly Draft[]): AgentDefinition {
  const merged = ranked.reduce((lower, upper) => (upper.form === "patch" ? layOver(lower, upper) : upper));
  const definition = withTwins(definitionOf(merged), ranked);
  const builtIn = ranked.find(({ source }) => source.kind === "built-in");
  const consented = ranked.some(({ source, fields }) => source.priority !== PRIORITY.project && fields.widen === true);
  const fromProject = merged.source.priority === PRIORITY.project;
  return builtIn && fromProject && !consented ? withCeiling(definition, definitionOf(builtIn)) : definition;
}

/** Two files of one folder with one name are most likely a mistake. */
function withTwins(definition: AgentDefinition, ranked: readonly Draft[]): AgentDefinition {
  const { priority, order, file } = definition.source;
  const twins = ranked.filter(
    ({ source, form }) =>
      form === "whole" && source.priority === priority && source.order === order && source.file !== file,
  );
  if (twins.length === 0 || file === undefined) return definition;
  const others = twins.map(({ source }) => source.file).join(", ");
  return withProblem(definition, `the same name stands in ${others}: this file is used`);
}

function withCeiling(definition: AgentDefinition, builtIn: AgentDefinition): AgentDefinition {
  const { tools, disallowedTools, spawns, capabilities } = builtIn;
  const ceiling: Ceiling = { tools, disallowedTools, spawns, capabilities };
  const { permissionMode, ...rest } = definition;
  const narrows = permissionMode === "plan" || permissionMode === "dontAsk";
  const within = { ...rest, ...(narrows && { permissionMode }), mcpServers: [] };
  if (!isWider(definition, builtIn)) return { ...within, ceiling };
  const message =
    `it has the name of the built-in ${builtIn.name} and stays within what that may do (tools: ${grantText(tools)}); ` +
    `a profile of that name in your own agents folder with "widen": true lifts this`;
  return { ...withProblem(within, message), ceiling };
}

/** It asks for other rights than the built-in has. What asks for none is told nothing. */
function isWider(definition: AgentDefinition, builtIn: AgentDefinition): boolean {
  const rights = ({ tools, disallowedTools, spawns, capabilities, permissionMode, mcpServers }: AgentDefinition) =>
    JSON.stringify([tools, disallowedTools, spawns, capabilities, permissionMode, mcpServers]);
  return rights(definition) !== rights(builtIn);
}

function withProblem(definition: AgentDefinition, message: string): AgentDefinition {
  const problem: Problem = { line: definition.source.line ?? 1, message, severity: "warning" };
  return { ...definition, problems: [...definition.problems, problem] };
}

/** By these a definition is found where nobody's own name is in the way. */
function furtherNames({ aliases, source, name }: AgentDefinition): string[] {
  const bare = source.plugin === undefined ? [] : [name.slice(name.lastIndexOf(":") + 1)];
  const stem = source.file === undefined ? [] : [stemOf(source.file)];
  return [...new Set([...aliases, ...bare, ...stem])];
}
