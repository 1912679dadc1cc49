// What a lead is told and may use: Sous's own prompt and every tool, or what the agent it runs as says.
import type { Assembled } from "../core/agents/assemble.ts";
import { registryText } from "../core/agents/registry-text.ts";
import type { ChildSettings, Protocol } from "../core/events.ts";
import { type Surroundings, systemPrompt } from "../core/system-prompt.ts";
import type { Tool } from "../engine/tools/define-tool.ts";
import { type ContextOptions, REGISTRY_BYTES, agentContext, openMemory, spawnableBy } from "./child-context.ts";
import type { Ceiling } from "./children.ts";
import { HostError } from "./host-error.ts";
import type { LeadAgent } from "./lead-agent.ts";

export type LeadContext = Pick<
  ChildSettings,
  "system" | "narrowing" | "deny" | "memory" | "beyond" | "neverAsks" | "temperature"
> & {
  readonly tools: readonly Tool[];
  /** The most its children can have, where that is not all. */
  readonly ceiling?: Ceiling;
};

export type LeadWorld = {
  readonly context: ContextOptions;
  /** Without what takes time to find out. */
  readonly about: Surroundings;
  readonly known: Assembled;
  readonly tools: readonly Tool[];
  readonly model: string;
  readonly protocol: Protocol;
  /** The prompt, as far as it is known. */
  readonly task: string;
};

export async function leadContext(as: LeadAgent | undefined, world: LeadWorld): Promise<LeadContext> {
  const { about, known, tools, protocol, task } = world;
  if (!as) {
    const agents = registryText(spawnableBy("*", known, protocol), REGISTRY_BYTES, task);
    return { system: systemPrompt({ ...about, agents }), tools, narrowing: [], deny: [] };
  }
  const { definition, set } = as;
  const options = { ...world.context, about: async () => about };
  const wish = { definition, set, known, model: world.model, protocol, task };
  const told = await agentContext(options, wish, "lead", await openMemory(options, wish));
  if ("problem" in told) throw new HostError(told.problem);
  const { deny, spawning } = set;
  const firm = definition.permissionMode === "dontAsk" ? { neverAsks: true } : {};
  const ceiling = { ...told, ...firm, deny, ...(spawning.may && { spawns: spawning.agents }) };
  return {
    ...told,
    ...firm,
    tools: tools.filter((tool) => told.tools.includes(tool.name)),
    deny,
    ceiling,
    ...(definition.temperature !== undefined && { temperature: definition.temperature }),
  };
}
