// What the engine needs to make a child: its definition resolved against its parent, and the parts of its run.
import { shippedAliases } from "../adapters/models/known-models.ts";
import type { Assembled } from "../core/agents/assemble.ts";
import type { AgentDefinition } from "../core/agents/definition.ts";
import { resolveModelWish } from "../core/agents/model-wish.ts";
import { resolveTools } from "../core/agents/tool-set.ts";
import { isSpawnTool, isSpawnable } from "../core/agents/may-spawn.ts";
import type { Protocol } from "../core/events.ts";
import { noUsage } from "../core/usage.ts";
import type { SessionState } from "../core/session-state.ts";
import type { Rules } from "../core/rules.ts";
import type { Guard } from "../engine/guard/guard.ts";
import { createFileMemory } from "../engine/tools/file-memory.ts";
import type { ChildDraft, ChildParts, SpawnKit } from "../engine/runs/spawn.ts";
import type { InboxKit } from "../engine/runs/tree-inbox.ts";
import { askParent, askUser } from "../engine/tools/ask-user.ts";
import type { Tool } from "../engine/tools/define-tool.ts";
import { onlyFile } from "../engine/tools/only-file.ts";
import { createShells } from "../engine/tools/shells.ts";
import { yieldToParent } from "../engine/tools/yield-to-parent.ts";
import type { Effort } from "../ports/model.ts";
import type { SpawnRequest } from "../ports/spawner.ts";
import { nearest } from "../std/nearest.ts";
import { type ContextOptions, agentContext } from "./child-context.ts";
import type { JoinedEmbedded } from "./embedded.ts";
import { withContextFiles } from "./context-files.ts";
import type { ChosenModel } from "./model-choice.ts";
import { protocolGuard, protocolParts } from "./protocol.ts";

export type ChildOptions = {
  readonly limits: SpawnKit["limits"];
  readonly treeSignal: AbortSignal;
  readonly heldMs?: number | undefined;
  readonly version: string;
  /** The lead's parts: children share its world. */
  readonly lead: ChildParts;
  /** The lead's. */
  readonly protocol: Protocol;
  readonly tools: readonly Tool[];
  readonly cwd: string;
  /** What children are told, and what they remember. */
  readonly context: ContextOptions;
  /** What single agents have besides their parents' tools. */
  readonly embedded?: Pick<JoinedEmbedded, "allTools" | "toolsOf">;
  readonly bounds: {
    readonly roots: readonly string[];
    readonly rules: Rules;
    readonly home: string;
    readonly trusted: boolean;
  };
  readonly inbox: InboxKit;
  /** The tree's budget in money, if it has one. */
  budgetUsd(): number | undefined;
  definitions(): Promise<Assembled>;
  chooseModel(name: string): Promise<ChosenModel>;
  transcriptOf(path: SessionState["path"]): string;
};

export function createChildKit(options: ChildOptions): SpawnKit {
  const { lead, limits, bounds, cwd } = options;
  const tools = [...new Set([...options.tools, ...(options.embedded?.allTools ?? [])])];
  const starts = (tool: Tool): boolean => isSpawnTool(tool.name) || (tool.lasting && tool !== askUser);
  const spawnTools = new Set(tools.filter(starts).map((tool) => tool.name));
  const offered = (names: readonly string[]) =>
    tools.flatMap((tool) =>
      names.includes(tool.name) ? [{ name: tool.name, aliases: tool.aliases, spawns: spawnTools.has(tool.name) }] : [],
    );

  const protocolOf = ({ opened }: SessionState): Protocol =>
    opened?.child ? (opened.protocol ?? "tools") : options.protocol;

  async function draft(request: SpawnRequest, parent: SessionState): Promise<ChildDraft | { problem: string }> {
    const known = await options.definitions();
    const wanted = request.agent ?? "general-purpose";
    const definition = known.find(wanted);
    if (!definition) return { problem: unknownAgent(wanted, known) };
    if (!isSpawnable(definition))
      return {
        problem: `${definition.name} is not to be spawned: its capabilities are ${definition.capabilities.join(", ")}`,
      };
    const { spawns = [] } = parent.opened?.child ?? { spawns: "*" as const };
    if (spawns !== "*" && !spawns.some((name) => known.find(name)?.name === definition.name))
      return { problem: `${parent.opened?.agent ?? parent.path} may spawn only ${spawns.join(", ") || "nobody"}` };
    const depth = parent.path.split("::").length;
    const { memory, tools: had } = parent.opened?.child ?? { tools: options.tools.map((tool) => tool.name) };
    // What its parent has for its own memory only is not its to hand on.
    const mine = memory ? had.filter((name) => !memory.tools.includes(name)) : had;
    const own = (options.embedded?.toolsOf(definition.name) ?? []).map((tool) => tool.name);
    const set = resolveTools(offered([...mine, ...own]), definition, {
      ...(request.tools && { tools: request.tools }),
      depth,
      maxDepth: limits.maxDepth,
    });
    if (!set.ok) return { problem: set.reason };
    const protocol = definition.protocol ?? protocolOf(parent);
    if (protocol === "bash" && !set.tools.includes("Bash"))
      return { problem: `${definition.name} has no Bash, and in the bash protocol there is nothing else to act with` };
    const model = parent.opened?.model ?? lead.model.id;
    const wish = resolveModelWish(request.model, definition, model, namesFor(model));
    if (options.budgetUsd() !== undefined && !(await (await options.chooseModel(wish.model)).prices.priceOf(noUsage)))
      return { problem: `the price of ${wish.model} is not known, so the budget in money would not hold` };
    for (const words of [...set.notices, ...wish.warnings]) options.context.notice(words);
    const about = { definition, set, known, model: wish.model, protocol, task: request.prompt };
    const context = await agentContext(options.context, about, "child");
    if ("problem" in context) return context;
    const background = request.background || (definition.background ?? false);
    return {
      agent: definition.name,
      settings: {
        background,
        ...context,
        task: await withContextFiles(request.prompt, request.contextFiles ?? [], lead.workspace, (path) =>
          bounds.roots.some((root) => path === root || path.startsWith(`${root}/`)),
        ),
        deny: set.deny,
        ...(set.spawning.may && { spawns: set.spawning.agents }),
        limits: limitsOf(definition),
        ...(request.name !== undefined && { name: request.name }),
        ...(typeof definition.effort === "string" && { effort: definition.effort }),
        ...(definition.temperature !== undefined && { temperature: definition.temperature }),
      },
      opened: {
        protocol,
        capability: "subtask",
        model: wish.model,
        binding: parent.opened?.binding ?? { cwd, isolation: "shared", allowWrites: true },
        permissions: parent.opened?.permissions ?? { mode: "confirm" },
        version: options.version,
      },
    };
  }

  async function parts(child: SessionState): Promise<{ parts: ChildParts; close(): Promise<void> }> {
    const settings = child.opened?.child;
    if (!settings) throw new Error(`${child.path} has no record of how it runs`);
    const chosen = await options.chooseModel(child.opened?.model ?? lead.model.id);
    // Only the lead speaks for itself in human mode; a person who is there still answers what its children ask.
    const { effort: _effort, temperature: _temperature, person: _person, ...shared } = lead;
    const rules = { ...bounds.rules, deny: [...bounds.rules.deny, ...settings.deny] };
    const shells = createShells();
    const protocol = protocolOf(child);
    const { memory } = settings;
    const files = createFileMemory();
    // Its prompt shows it: it may be changed without another look, unless somebody else has changed it since.
    if (memory?.hash !== undefined) files.saw(memory.path, { stamp: "", hash: memory.hash });
    const confined = (tool: Tool): Tool => (memory?.tools.includes(tool.name) ? onlyFile(tool, memory.path) : tool);
    const own: ChildParts = {
      ...shared,
      shells,
      ...protocolParts(protocol, {
        system: settings.system,
        model: chosen.model,
        tools: [...tools.filter((tool) => settings.tools.includes(tool.name)).map(confined), askParent, yieldToParent],
        clock: lead.clock,
        random: lead.random,
      }),
      prices: chosen.prices,
      limits: settings.limits,
      files,
      guard: allowing(
        settings.background && options.inbox.approvals === "allow",
        protocolGuard(protocol, {
          roots: bounds.roots,
          rules,
          places: { cwd, home: bounds.home },
          trusted: bounds.trusted,
          narrowing: settings.narrowing,
          ...(memory && { memory: memory.path }),
          ...(settings.beyond && { beyond: settings.beyond }),
        }),
      ),
      ...(isEffort(settings.effort) && { effort: settings.effort }),
      ...(settings.temperature !== undefined && { temperature: settings.temperature }),
      transcript: options.transcriptOf(child.path),
    };
    return { parts: own, close: () => shells.close() };
  }

  const { treeSignal, heldMs, transcriptOf } = options;
  return {
    ...options.inbox,
    limits,
    clock: lead.clock,
    random: lead.random,
    treeSignal,
    ...(heldMs !== undefined && { heldMs }),
    transcriptOf,
    draft,
    parts,
  };
}

/** As in yolo: deny and ask rules, and calls whose outcome is unknown, stand as they do there. */
const allowing = (all: boolean, guard: Guard): Guard =>
  all ? { judge: (asked) => guard.judge({ ...asked, mode: "yolo" }) } : guard;

const DEFAULT_TURNS = 50;

const limitsOf = ({ maxTurns, timeout }: AgentDefinition) => ({
  maxTurns: maxTurns ?? DEFAULT_TURNS,
  ...(timeout !== undefined && { timeoutMs: timeout * 1000 }),
});

function unknownAgent(wanted: string, known: Assembled): string {
  const names = known.definitions.map((definition) => definition.name);
  const close = nearest(wanted, names);
  return `there is no agent "${wanted}"${close ? `; did you mean ${close}?` : ""} Known: ${names.slice(0, 40).join(", ")}`;
}

/** Key and address come from the parent, so an alias means a model of its provider. */
function namesFor(model: string) {
  const provider = model.split("/")[0] ?? "";
  return { aliases: shippedAliases[provider] ?? {}, providers: [...Object.keys(shippedAliases), provider] };
}

const EFFORTS: readonly string[] = ["none", "minimal", "low", "medium", "high", "max"];
export const isEffort = (value: string | undefined): value is Effort => value !== undefined && EFFORTS.includes(value);
