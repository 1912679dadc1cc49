// What the protocol decides of a run's parts: how its model is spoken to, the tools it has, and the end of its prompt.
import { bashProtocolPrompt } from "../core/bash-protocol/prompt.ts";
import type { AgentDefinition } from "../core/agents/definition.ts";
import type { ExitRules, Protocol } from "../core/events.ts";
import { type Guard, createGuard } from "../engine/guard/guard.ts";
import { bashProtocolModel } from "../engine/protocol/bash-protocol-model.ts";
import type { ChildParts } from "../engine/runs/spawn-kit.ts";
import type { Tool } from "../engine/tools/define-tool.ts";
import { protocolBash } from "../engine/tools/protocol-bash.ts";
import { spawnSubagent } from "../engine/tools/spawn-subagent.ts";
import { createToolbox } from "../engine/tools/toolbox.ts";
import type { Model } from "../ports/model.ts";

/** `tools` are those it would have by calling them: in bash they say only whether it may have children. */
export function protocolParts(
  protocol: Protocol,
  run: Pick<ChildParts, "system" | "clock" | "random"> & {
    readonly model: Model;
    readonly tools: readonly Tool[];
    readonly exit?: ExitRules | undefined;
  },
): Pick<ChildParts, "system" | "model" | "tools"> {
  const { system, model, tools, clock, random, exit } = run;
  if (protocol === "tools") return { system, model, tools: createToolbox(tools, clock) };
  const spawns = tools.some(({ name }) => name === spawnSubagent.name);
  return {
    system: `${system}\n\n${bashProtocolPrompt(spawns)}`,
    model: bashProtocolModel(model, random),
    tools: createToolbox([protocolBash(spawns, exit?.outputSchema)], clock),
  };
}

/** However its definition narrows Bash, an agent of the bash protocol may always end, and spawn where it may at all. */
export function protocolGuard(protocol: Protocol, bounds: Parameters<typeof createGuard>[0]): Guard {
  const guard = createGuard(bounds);
  if (protocol === "tools") return guard;
  const { narrowing: _narrowing, ...wide } = bounds;
  const free = createGuard(wide);
  return { ...guard, judge: (asked) => (asked.reach.length === 0 ? free : guard).judge(asked) };
}

/** Why an agent without Bash is not launched in the bash protocol. */
export const noBash = (agent: string): string =>
  `${agent} has no Bash, and in the bash protocol there is nothing else to act with`;

/** Whether an agent spawned from this protocol can act at all: in bash it has nothing but Bash. */
export function canAct(parent: Protocol, { protocol, tools, disallowedTools }: AgentDefinition): boolean {
  if ((protocol ?? parent) === "tools") return true;
  const denied = disallowedTools.some(({ tool, spec }) => tool === "Bash" && spec === undefined);
  return !denied && (tools === "inherit" || tools.some(({ tool }) => tool === "Bash"));
}
