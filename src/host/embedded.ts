// What a program that embeds Sous brings with it: agents, tools and models of its own.
import { lookupKey } from "../core/agents/agent-names.ts";
import type { Draft } from "../core/agents/draft.ts";
import type { Tool } from "../engine/tools/define-tool.ts";
import type { Model } from "../ports/model.ts";
import { HostError } from "./host-error.ts";

export type Embedded = {
  readonly agents?: readonly Draft[];
  /** For the lead, and for children as their definitions say. */
  readonly tools?: readonly Tool[];
  /** Tools that one agent alone has, and those below it, by the agent's name. */
  readonly agentTools?: Readonly<Record<string, readonly Tool[]>>;
  /** Found by their ids; the first is used where no model is named. */
  readonly models?: readonly Model[];
};

export type JoinedEmbedded = {
  readonly agents: readonly Draft[];
  readonly tools: readonly Tool[];
  readonly models: readonly Model[];
  /** Every tool there is, also those of one agent alone. */
  readonly allTools: readonly Tool[];
  toolsOf(agent: string): readonly Tool[];
};

/** What a run brings goes before what its host brings. */
export function joinEmbedded(host: Embedded = {}, run: Embedded = {}): JoinedEmbedded {
  const own = Object.entries({ ...host.agentTools, ...run.agentTools });
  const tools = [...new Set([...(host.tools ?? []), ...(run.tools ?? [])])];
  const allTools = [...new Set([...tools, ...own.flatMap(([, some]) => some)])];
  return {
    agents: latest([...(host.agents ?? []), ...(run.agents ?? [])]),
    tools,
    models: [...(run.models ?? []), ...(host.models ?? [])],
    allTools,
    toolsOf: (agent) => own.find(([name]) => lookupKey(name) === lookupKey(agent))?.[1] ?? [],
  };
}

/** Two tools of one name could not be told apart by a model, a rule or a record. */
export function mustBeDistinct(tools: readonly Tool[]): void {
  const seen = new Set<string>();
  for (const name of tools.flatMap((tool) => [tool.name, ...tool.aliases])) {
    if (seen.has(name))
      throw new HostError(`there are two tools called ${name}: give yours another name`, "usage", "invalid-tool");
    seen.add(name);
  }
}

const latest = (drafts: readonly Draft[]): readonly Draft[] => [
  ...new Map(drafts.map((draft) => [lookupKey(draft.name), draft])).values(),
];
