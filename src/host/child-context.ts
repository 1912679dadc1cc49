// What a child knows and what it may touch because of that: its prompt, its memory with the gate to it, and the few
// files outside of the workspace that a built-in agent is about.
import { agentPrompt } from "../core/agent-prompt.ts";
import type { Assembled } from "../core/agents/assemble.ts";
import type { AgentDefinition } from "../core/agents/definition.ts";
import { isSpawnTool, isSpawnable } from "../core/agents/may-spawn.ts";
import { registryText } from "../core/agents/registry-text.ts";
import type { ToolSet } from "../core/agents/tool-set.ts";
import type { ChildSettings, MemoryGate, Protocol } from "../core/events.ts";
import type { Mask } from "../core/mask.ts";
import { memoryHead, memoryPlace, memoryText } from "../core/memory.ts";
import { type Beyond, MEMORY_TOOLS } from "../core/permissions.ts";
import type { Surroundings } from "../core/system-prompt.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import { canAct } from "./protocol.ts";

export type ContextOptions = {
  /** Where a child is, as it is when it is made. */
  about(): Promise<Surroundings>;
  readonly mask: Pick<Mask, "known">;
  readonly memories: MemoryStore;
  /** `root` is the project's, given only when it is trusted. */
  readonly homes: { readonly home: string | undefined; readonly root: string | undefined };
  /** What a built-in agent may touch outside of the workspace. */
  beyond(agent: string): Promise<Beyond | undefined>;
  /** A sentence for the person. */
  notice(words: string): void;
};

export type AgentContext = Pick<ChildSettings, "system" | "tools" | "narrowing" | "memory" | "beyond">;

export type ContextWish = {
  readonly definition: AgentDefinition;
  readonly set: Extract<ToolSet, { ok: true }>;
  readonly known: Assembled;
  readonly model: string;
  readonly protocol: Protocol;
  /** Where it is, when that is not where its parent is. */
  readonly about?: Partial<Surroundings>;
  /** Agents that it says something about come first in the list of those it may spawn. */
  readonly task: string;
};

/** What an agent remembers, as its prompt tells it, and the gate by which it may write it down. */
export type Remembered = { readonly text: string; readonly gate: MemoryGate };

/** How much of a prompt the list of agents may take. */
export const REGISTRY_BYTES = 1_500;

export async function agentContext(
  options: ContextOptions,
  wish: ContextWish,
  as: "child" | "lead",
  remembered: Remembered | undefined,
): Promise<AgentContext | { readonly problem: string }> {
  const { definition, set, known, protocol } = wish;
  const [around, beyond] = await Promise.all([
    options.about(),
    definition.source.kind === "built-in" ? options.beyond(definition.name) : undefined,
  ]);
  const about = { ...around, ...wish.about };
  const spawns = set.spawning.may && set.tools.some(isSpawnTool) ? set.spawning.agents : [];
  const prompt = agentPrompt(
    definition,
    {
      about,
      model: wish.model,
      agents: () => registryText(spawnableBy(spawns, known, protocol), REGISTRY_BYTES, wish.task),
      ...(remembered && { memory: remembered.text }),
    },
    as,
  );
  if ("problem" in prompt) return { problem: `${definition.name} cannot be launched: ${prompt.problem}` };
  const own = remembered?.gate.tools ?? [];
  return {
    system: prompt.text,
    tools: [...set.tools, ...own],
    narrowing: [...set.narrowing, ...own.map((tool) => ({ tool, allow: [] }))],
    ...(remembered && { memory: remembered.gate }),
    ...(beyond && { beyond }),
  };
}

/** Those whom an agent may spawn, of the ones that can be. */
export function spawnableBy(spawns: "*" | readonly string[], known: Assembled, protocol: Protocol): AgentDefinition[] {
  const names = spawns === "*" ? undefined : new Set(spawns.map((name) => known.find(name)?.name));
  return known.definitions.filter((one) => isSpawnable(one) && (names?.has(one.name) ?? true) && canAct(protocol, one));
}

/** An agent whose memory cannot be had works without it, and the person is told. */
export async function openMemory(
  { memories, homes, mask, notice }: ContextOptions,
  { definition, set, protocol }: ContextWish,
): Promise<Remembered | undefined> {
  if (definition.memory === undefined) return undefined;
  const place = memoryPlace(definition.memory, definition.name, homes);
  const opened = "problem" in place ? { ok: false as const, problem: place.problem } : await memories.open(place);
  if (!opened.ok) {
    notice(`${definition.name} works without its memory (${definition.memory}): ${opened.problem}`);
    return undefined;
  }
  const calls = protocol === "tools";
  const { path, text, hash } = opened;
  const shown = mask.known(text);
  // What the prompt does not show as it is must be read before it is overwritten.
  const seen = hash !== undefined && shown === text && !memoryHead(text).cut;
  return {
    text: memoryText(path, shown, calls),
    gate: {
      path,
      ...(seen && { hash }),
      tools: calls ? MEMORY_TOOLS.filter((tool) => !set.tools.includes(tool)) : [],
    },
  };
}
