// The steps of a spawn that need the host: who the child is, what it thinks and acts with, what it may do, remembers
// and is told. The engine calls them in order; each keeps what the later ones build on.
import { DEFAULT_AGENT } from "../core/agents/agent-names.ts";
import type { Assembled } from "../core/agents/assemble.ts";
import type { AgentDefinition } from "../core/agents/definition.ts";
import { type PlaceWish, placeWish } from "../core/binding.ts";
import { isSpawnTool, isSpawnable } from "../core/agents/may-spawn.ts";
import { type OfferedTool, type ToolSet, resolveTools } from "../core/agents/tool-set.ts";
import { unknownAgent } from "../core/agents/unknown-agent.ts";
import type { Binding, ExitRules, Protocol } from "../core/events.ts";
import { readHooks } from "../core/hooks/read-hooks.ts";
import { meantBy } from "../core/permissions.ts";
import { summaryRule } from "../core/results/summary-wish.ts";
import { ruleText } from "../core/rules.ts";
import type { SessionState } from "../core/session-state.ts";
import { noUsage } from "../core/usage.ts";
import { createGuard } from "../engine/guard/guard.ts";
import type { ChildDraft, Making, Problem } from "../engine/runs/spawn-kit.ts";
import { depthOf } from "../engine/runs/tickets.ts";
import { askUser } from "../engine/tools/ask-user.ts";
import type { Tool } from "../engine/tools/define-tool.ts";
import { subagents } from "../engine/tools/subagents.ts";
import type { SpawnRequest } from "../ports/spawner.ts";
import { type AgentContext, type Remembered, agentContext, openMemory, spawnableBy } from "./child-context.ts";
import type { Ceiling, ChildOptions } from "./children.ts";
import { exitPrompt, exitRules, exitWish } from "./exit-rules.ts";
import { noBash } from "./protocol.ts";
import { usableModel } from "./usable-model.ts";
import { readContextFiles } from "./context-files.ts";

export function childMaking(options: ChildOptions, request: SpawnRequest, parent: SessionState): Making {
  const { lead, limits, workspaces } = options;
  const above: Binding = parent.opened?.binding ?? { cwd: options.cwd, isolation: "shared", allowWrites: true };
  let place: PlaceWish | undefined;
  let binding: Binding | undefined;
  const ceiling = ceilingOf(options, parent);
  let found: Found | undefined;
  let model: string | undefined;
  let set: Granted | undefined;
  let permissions: ChildDraft["opened"]["permissions"] | undefined;
  let remembered: Remembered | undefined;
  let context: AgentContext | undefined;
  let exit: ExitRules | undefined;
  let task = request.prompt;
  const notes: string[] = [];
  /** For the person, and for the parent with the child's report. */
  const note = (text: string): void => {
    options.context.notice(text);
    notes.push(text);
  };
  const wish = () => ({ ...built(found), set: built(set), model: built(model), task: request.prompt });

  return {
    async definition() {
      const known = await options.definitions();
      const definition = definitionFor(request, parent, ceiling, known, protocolOf(options, parent));
      const heldBack = known.heldBack?.(request.agent ?? DEFAULT_AGENT);
      if (heldBack !== undefined) note(heldBack);
      if ("problem" in definition)
        return heldBack === undefined ? definition : { problem: `${definition.problem}; ${heldBack}` };
      const called = protocolOf(options, parent) === "tools" ? (request.agent ?? DEFAULT_AGENT) : undefined;
      const refused = refusedBy(options, ceiling, known.namesOf(definition), called);
      if (refused) return refused;
      const placed = placeWish(definition, request, above);
      if ("problem" in placed) return placed;
      place = placed;
      found = { definition, known, protocol: definition.protocol ?? protocolOf(options, parent) };
      const asked = request.model ?? definition.model ?? parent.opened?.model ?? lead.model.id;
      const { hooks } = definition;
      return { agent: definition.name, cwd: above.cwd, model: asked, ...(hooks && { hooks }) };
    },
    async model() {
      const { definition } = built(found);
      const { chosen, warnings } = await usableModel({
        ...{ call: request.model, definition, namesFor: options.namesFor, choose: options.chooseModel },
        inherited: parent.opened?.model ?? lead.model.id,
      });
      model = chosen.model.id;
      if (options.budgetUsd() !== undefined && !(await chosen.prices.priceOf(noUsage)))
        return { problem: `the price of ${model} is not known, so the budget in money would not hold` };
      for (const warning of warnings) note(warning);
      if (definition.temperature !== undefined && chosen.model.takesTemperature === false)
        note(`${model} takes no temperature: the one of ${definition.name} is not sent`);
      return undefined;
    },
    async tools() {
      const { definition, protocol } = built(found);
      const granted = resolveTools(offeredBy(options, ceiling, definition), definition, {
        ...(request.tools && { tools: request.tools }),
        depth: depthOf(limits, parent.path) + 1,
        maxDepth: limits.maxDepth,
      });
      if (!granted.ok) return { problem: granted.reason };
      if (protocol === "bash" && !granted.tools.includes("Bash")) return { problem: noBash(definition.name) };
      for (const words of granted.notices) options.context.notice(words);
      set = granted;
      return undefined;
    },
    async permissions(child) {
      const bound = await workspaces.bind(built(place), parent, child);
      if ("problem" in bound) return { problem: `${built(found).definition.name}: ${bound.problem}` };
      binding = bound;
      permissions = parent.opened?.permissions ?? { mode: "confirm" };
      return undefined;
    },
    async memory() {
      remembered = await openMemory(options.context, wish());
      return undefined;
    },
    async prompt(told) {
      const { cwd, isolation } = built(binding);
      const about = cwd === above.cwd || isolation === "custom" ? { cwd } : { cwd, copyOf: above.cwd, status: "" };
      const prompt = await agentContext(options.context, { ...wish(), about }, "child", remembered);
      if ("problem" in prompt) return prompt;
      const { definition, protocol } = built(found);
      const all = [...options.tools, ...(options.embedded?.allTools ?? [])];
      const own = all.filter((tool) => prompt.tools.includes(tool.name));
      const read = exitRules({ ...exitWish(definition), ...exitWish(request) }, own, protocol);
      if ("problem" in read) return { problem: `${definition.name} cannot be launched: ${read.problem}` };
      exit = read.exit;
      context = { ...prompt, system: `${prompt.system}${exitPrompt(exit, protocol === "tools")}` };
      // As its parent sees them: its copy, if it gets one, is not made yet.
      const { contextFiles = [] } = request;
      const files = await readContextFiles(contextFiles, seenBy(options, parent, ceiling), cwd);
      // A path that its parent got wrong is for its parent to put right.
      for (const problem of files.problems) notes.push(`context file ${problem}`);
      task = [[request.prompt, files.text].filter((part) => part !== "").join("\n\n"), ...told].join("\n\n");
      return undefined;
    },
    config() {
      const { definition, protocol } = built(found);
      const { deny, spawning } = built(set);
      const summarize = summaryRule(request.summarize ?? definition.summarize);
      return {
        agent: definition.name,
        settings: {
          background: request.background || (definition.background ?? false),
          ...built(context),
          narrowing: [...ceiling.narrowing, ...built(context).narrowing],
          ...((ceiling.neverAsks || definition.permissionMode === "dontAsk") && { neverAsks: true }),
          task,
          deny: [...ceiling.deny, ...deny],
          ...(definition.hooks && { hooks: definition.hooks }),
          ...(spawning.may && { spawns: spawning.agents }),
          limits: limitsOf(definition),
          ...(request.name !== undefined && { name: request.name }),
          ...(typeof definition.effort === "string" && { effort: definition.effort }),
          ...(summarize && { summarize }),
          ...(definition.temperature !== undefined && { temperature: definition.temperature }),
        },
        opened: {
          protocol,
          capability: "subtask",
          model: built(model),
          binding: built(binding),
          permissions: built(permissions),
          ...(exit && { exit }),
          version: options.version,
        },
      };
    },
    notes: () => notes,
  };
}

/** How many names an error lists. */
const MOST_NAMES = 40;

type Found = { readonly definition: AgentDefinition; readonly known: Assembled; readonly protocol: Protocol };
type Granted = Extract<ToolSet, { ok: true }>;

function built<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("the steps of a spawn were called out of order");
  return value;
}

function definitionFor(
  request: SpawnRequest,
  parent: SessionState,
  { spawns = [] }: Ceiling,
  known: Assembled,
  protocol: Protocol,
): AgentDefinition | Problem {
  const wanted = request.agent ?? DEFAULT_AGENT;
  const definition = known.find(wanted);
  if (!definition) {
    const names = spawnableBy(spawns, known, protocol).map(({ name }) => name);
    const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
    const list = names.slice(0, MOST_NAMES).join(", ") || "none";
    return { problem: `${unknownAgent(wanted, known)} (agents that can be spawned here: ${list}${more})` };
  }
  if (!isSpawnable(definition))
    return {
      problem: `${definition.name} is not to be spawned: its capabilities are ${definition.capabilities.join(", ")}`,
    };
  if (spawns !== "*" && !spawns.some((name) => known.find(name)?.name === definition.name))
    return { problem: `${parent.opened?.agent ?? parent.path} may spawn only ${spawns.join(", ") || "nobody"}` };
  const [unreadable] = readHooks(definition.hooks, "definition").problems;
  if (unreadable !== undefined) return { problem: `the hooks of ${definition.name} cannot be used: ${unreadable}` };
  return definition;
}

export const protocolOf = ({ protocol }: ChildOptions, { opened }: SessionState): Protocol =>
  opened?.child ? (opened.protocol ?? "tools") : protocol;

/** What a parent may hand on: never more than it has, and not what it has for its own memory only. */
function ceilingOf({ tools, asLead }: ChildOptions, { opened }: SessionState): Ceiling {
  const everything: Ceiling = { tools: tools.map((tool) => tool.name), spawns: "*", narrowing: [], deny: [] };
  const had = opened?.child ?? asLead ?? everything;
  const { memory } = had;
  if (!memory) return had;
  const handed = (tool: string): boolean => !memory.tools.includes(tool);
  return { ...had, tools: had.tools.filter(handed), narrowing: had.narrowing.filter(({ tool }) => handed(tool)) };
}

/** `called`: the name by which its call was judged already; undefined where a command stands for it. */
function refusedBy(
  { bounds, cwd }: ChildOptions,
  { deny }: Ceiling,
  names: readonly [string, ...string[]],
  called: string | undefined,
): Problem | undefined {
  const { rules, home } = bounds;
  const meaning = (agents: readonly string[]) => {
    const reach = agents.map((agent) => ({ may: "spawn", agent }) as const);
    return meantBy({ tool: "spawn_subagent", reach, places: { cwd, home } });
  };
  const [meant, judged] = [meaning(names), meaning(called === undefined ? [] : [called])];
  const denied = [...rules.deny, ...deny].find(meant);
  if (denied) return { problem: `the rule ${ruleText(denied)} denies it` };
  const asked = rules.ask.find((rule) => meant(rule) && !(called !== undefined && judged(rule)));
  const by = asked && names.find((name) => meaning([name])(asked));
  return asked && { problem: `the rule ${ruleText(asked)} asks first, which only a call of ${by} by that name can` };
}

/** The files that a parent sees, and what it may read of them: nothing without the tool for it. */
function seenBy({ workspaces, bounds }: ChildOptions, parent: SessionState, { tools, deny, narrowing }: Ceiling) {
  const { workspace, roots, copyOf } = workspaces.seenBy(parent);
  const guard = createGuard({
    roots,
    rules: { ...bounds.rules, deny: [...bounds.rules.deny, ...deny] },
    places: { cwd: workspace.cwd, home: bounds.home },
    narrowing,
    ...(copyOf && { copyOf }),
  });
  return { workspace, guard, ...(!tools.includes("Read") && { mayNot: `${parent.path} may not read files` }) };
}

/** The parent's tools and the agent's own. */
function offeredBy({ tools, embedded }: ChildOptions, ceiling: Ceiling, definition: AgentDefinition) {
  const names = new Set(ceiling.tools);
  for (const tool of embedded?.toolsOf(definition.name) ?? []) names.add(tool.name);
  return [...new Set([...tools, ...(embedded?.allTools ?? [])])].flatMap((tool) =>
    names.has(tool.name) ? [offeredTool(tool)] : [],
  );
}

/** Who may not spawn has no use for looking after children either. */
export const offeredTool = (tool: Tool): OfferedTool => ({
  name: tool.name,
  aliases: tool.aliases,
  spawns: startsChildren(tool),
  isAgent: isAgent(tool),
});

const startsChildren = (tool: Tool): boolean => tool === subagents || isSpawnTool(tool.name) || isAgent(tool);
const isAgent = (tool: Tool): boolean => tool.lasting && tool !== askUser && !isSpawnTool(tool.name);

const DEFAULT_TURNS = 50;

const limitsOf = ({ maxTurns, timeout }: AgentDefinition) => ({
  maxTurns: maxTurns ?? DEFAULT_TURNS,
  ...(timeout !== undefined && { timeoutMs: timeout * 1000 }),
});
