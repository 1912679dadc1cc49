// What a program brings, in the host's words. Loaded with the host: a tool's schema needs the validator.
import type { Draft } from "../core/agents/draft.ts";
import type { Tool } from "../engine/tools/define-tool.ts";
import { ownTool } from "../engine/tools/own-tool.ts";
import type { Embedded } from "../host/embedded.ts";
import type { Model } from "../ports/model.ts";
import { type Agent, broughtBy } from "./define-agent.ts";
import { type AnyTool, defineTool } from "./define-tool.ts";

export type Bringing = {
  readonly agents?: readonly Agent[];
  readonly tools?: readonly AnyTool[];
  readonly model?: string | Model;
  readonly models?: readonly Model[];
};

/** One for each host, so that a tool given twice is one tool. */
export function createEmbedding(): (bringing: Bringing) => Embedded {
  const known = new Map<AnyTool, Tool>();
  const toolOf = (tool: AnyTool): Tool => {
    const made = known.get(tool) ?? ownTool(defineTool(tool));
    known.set(tool, made);
    return made;
  };
  return ({ agents = [], tools = [], model, models = [] }) => {
    const brought = withTheirs(agents);
    return {
      agents: brought.map(({ draft }) => draft),
      tools: tools.map(toolOf),
      agentTools: Object.fromEntries(brought.map((one) => [one.draft.name, one.tools.map(toolOf)])),
      models: [...(typeof model === "object" ? [model] : []), ...models],
    };
  };
}

/** Agents with those that they spawn, each once, also where they spawn each other. */
function withTheirs(agents: readonly Agent[]): { readonly draft: Draft; readonly tools: readonly AnyTool[] }[] {
  const found = new Map<Agent, { draft: Draft; tools: readonly AnyTool[] }>();
  const left = [...agents];
  for (let agent = left.shift(); agent; agent = left.shift()) {
    if (found.has(agent)) continue;
    const brought = broughtBy(agent);
    found.set(agent, brought);
    left.push(...brought.agents);
  }
  return [...found.values()];
}
