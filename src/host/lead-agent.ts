// A lead that runs as one of the agents: which one, what its definition sets, and the tools it leaves. A session keeps
// the definition it was begun with, whatever becomes of the file.
import { lookupKey } from "../core/agents/agent-names.ts";
import type { Assembled } from "../core/agents/assemble.ts";
import type { AgentDefinition } from "../core/agents/definition.ts";
import { type ToolSet, resolveTools } from "../core/agents/tool-set.ts";
import { noAgent } from "../core/agents/unknown-agent.ts";
import type { HookSet } from "../core/hooks/hook-set.ts";
import { readHooks } from "../core/hooks/read-hooks.ts";
import type { SessionState } from "../core/session-state.ts";
import type { Tool } from "../engine/tools/define-tool.ts";
import { offeredTool } from "./child-making.ts";
import { isEffort } from "./children.ts";
import { exitWish } from "./exit-rules.ts";
import { HostError } from "./host-error.ts";
import type { ChosenModel } from "./model-choice.ts";
import type { NamesFor } from "./model-names.ts";
import type { Wishes } from "./session-plan.ts";
import { usableModel } from "./usable-model.ts";

export type LeadAgent = { readonly definition: AgentDefinition; readonly set: Extract<ToolSet, { ok: true }> };

export type LeadWish = {
  readonly known: Assembled;
  readonly tools: readonly Tool[];
  readonly maxDepth: number | undefined;
  /** Why an agent may be missing that somebody knows to be there. */
  hidden?(name: string): string | undefined;
  notice(words: string): void;
};

/** undefined: Sous's own lead. `session` is the one that is gone on with. */
export function leadAgent(
  wanted: string | undefined,
  session: SessionState | undefined,
  { known, tools, maxDepth, hidden, notice }: LeadWish,
): LeadAgent | undefined {
  const definition = session
    ? keptBy(session, wanted)
    : wanted === undefined
      ? undefined
      : named(wanted, known, hidden);
  if (!definition) return undefined;
  const set = resolveTools(tools.map(offeredTool), definition, {
    depth: 0,
    ...(maxDepth !== undefined && { maxDepth }),
  });
  if (!set.ok) throw new HostError(set.reason);
  for (const words of set.notices) notice(words);
  return { definition, set };
}

/** Whoever is named by the person may lead, but for those who only watch. */
function named(wanted: string, known: Assembled, hidden: LeadWish["hidden"]): AgentDefinition {
  const definition = known.find(wanted);
  if (!definition) throw new HostError(noAgent(wanted, known, hidden?.(wanted)), "usage", "unknown-agent");
  const { name, launchable, capabilities } = definition;
  if (launchable !== true) throw new HostError(`${name} cannot be launched: ${launchable.refused}`);
  if (capabilities.every((capability) => capability === "watcher"))
    throw new HostError(`${name} only watches others: it cannot lead`);
  const isolation = definition.workspace?.isolation ?? definition.isolation ?? "shared";
  if (isolation !== "shared")
    throw new HostError(
      `${name} works in a workspace of its own (${isolation}), which only children have: let a lead spawn it`,
    );
  return definition;
}

function keptBy({ opened, session }: SessionState, wanted: string | undefined): AgentDefinition | undefined {
  const kept = opened?.definition;
  if (wanted !== undefined && lookupKey(wanted) !== lookupKey(kept?.name ?? "lead"))
    throw new HostError(
      `session ${session} was begun as ${kept?.name ?? "Sous's own lead"} and stays so: begin a new one for ${wanted}`,
    );
  return kept;
}

/** What the person does not say, the definition does. */
export function withDefinition<W extends Wishes>(wishes: W, agent: LeadAgent | undefined): W {
  if (!agent) return wishes;
  const { maxTurns, timeout, effort, protocol } = agent.definition;
  const hard = typeof effort === "string" && isEffort(effort) ? effort : undefined;
  return {
    ...(hard && { effort: hard }),
    ...(protocol && { protocol }),
    ...exitWish(agent.definition),
    ...wishes,
    limits: {
      ...(maxTurns !== undefined && { maxTurns }),
      ...(timeout !== undefined && { timeoutMs: timeout * 1000 }),
      ...wishes.limits,
    },
  };
}

/** What is asked for, else the definition's, else the one that is used without it. */
export async function leadModel(
  asked: string | undefined,
  agent: LeadAgent | undefined,
  choose: (name: string | undefined) => Promise<ChosenModel>,
  namesFor: NamesFor,
  notice: (words: string) => void,
): Promise<ChosenModel> {
  const usual = await choose(asked);
  if (asked !== undefined || agent?.definition.model === undefined) return usual;
  const inherited = usual.model.id;
  const { chosen, warnings } = await usableModel({
    definition: agent.definition,
    inherited,
    namesFor,
    choose: async (name) => (name === inherited ? usual : choose(name)),
    otherwise: `${inherited} is used`,
  });
  for (const warning of warnings) notice(warning);
  return chosen;
}

/** Of a lead they act in the whole session, and its end is not that of a child. */
export function leadHooks(agent: LeadAgent | undefined): HookSet {
  const { scope: _scope, ...hooks } = agent?.definition.hooks ?? {};
  const { set, problems } = readHooks(hooks, "config");
  if (problems.length > 0) throw new HostError(`the hooks of ${agent?.definition.name} cannot be used: ${problems[0]}`);
  return set;
}
