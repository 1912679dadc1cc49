// Everything a session needs before it is begun or taken up again: who leads, where, with which model and plan. Nothing
// is made on the disk before the wishes are known to be sound.
import type { Budget, ExitRules } from "../core/events.ts";
import type { Mask } from "../core/mask.ts";
import type { SessionState } from "../core/session-state.ts";
import { noUsage } from "../core/usage.ts";
import { type Registry, openAgents } from "./agents.ts";
import { untrustedAgent } from "./agents/untrusted-agent.ts";
import type { Config } from "./config.ts";
import { startedAtDepth } from "./caller.ts";
import { mustNotBeTooDeep } from "./depth.ts";
import { type JoinedEmbedded, joinEmbedded, mustBeDistinct } from "./embedded.ts";
import { leadExit } from "./exit-rules.ts";
import { HostError } from "./host-error.ts";
import type { HostOptions } from "./host.ts";
import type { RunOptions } from "./conversation.ts";
import { type LeadAgent, leadAgent, leadModel, withDefinition } from "./lead-agent.ts";
import { withInput } from "./lead-input.ts";
import { leadTools } from "./lead-tools.ts";
import type { ChosenModel, ModelChoice } from "./model-choice.ts";
import { type NamesFor, createNamesFor } from "./model-names.ts";
import { type OpenSession, openSession } from "./open-session.ts";
import { type Project, openProject } from "./project.ts";
import { realFolder } from "./real-folder.ts";
import { doubtfulRules, mustNameTools } from "./rule-names.ts";
import { type SessionPlan, planNew, planResume } from "./session-plan.ts";

export type Prepared = {
  readonly plan: SessionPlan;
  readonly session: OpenSession;
  readonly chosen: ChosenModel;
  readonly cwd: string;
  readonly project: Project;
  readonly agents: Registry;
  /** The agent that leads, where it is not Sous's own. */
  readonly as?: LeadAgent;
  readonly embedded: JoinedEmbedded;
  readonly namesFor: NamesFor;
  readonly exit: ExitRules | undefined;
};

export type PrepareOptions = Pick<HostOptions, "env" | "configFile" | "embedded"> & {
  readonly stateDir: string;
  readonly config: Config;
  readonly mask: Mask;
  newId(): string;
  readonly chooseModel: ModelChoice;
};

export type Prepare = (wanted: RunOptions, notice: (words: string) => void) => Promise<Prepared>;

export function createPrepare(options: PrepareOptions): Prepare {
  const { stateDir, mask } = options;
  return async (given, notice) => {
    const wanted = { ...given, budget: { ...treeBudget(options.config), ...given.budget } };
    const onFault = (fault: Error): void => notice(fault.message);
    const addDirs = await Promise.all(wanted.addDirs.map(realFolder));
    if (wanted.resume) {
      const session = await openSession(stateDir, wanted.resume, "existing", onFault, mask);
      try {
        const state = session.writer.state.sessions.get(wanted.resume);
        if (!state) throw new HostError(`session ${wanted.resume} has no readable record`, "failed");
        const wishes = { ...withInput(wanted, state.opened?.definition), addDirs };
        const plan = planResume(session.writer.state, state, wishes);
        const { world, choose } = await settle(options, wanted, plan.cwd, state, notice);
        const chosen = await choose(plan);
        if ((await realFolder(wanted.cwd)) !== world.cwd)
          notice(`working in ${world.cwd}, where the session was begun`);
        return { ...world, ...chosen, plan, session };
      } catch (error) {
        await session.log.close();
        throw error;
      }
    }
    const { world, choose } = await settle(options, wanted, wanted.cwd, undefined, notice);
    const { mode } = world.project.settings;
    const asked = withDefinition(withInput(wanted, world.as?.definition), world.as);
    const wishes = { ...(mode && { mode }), ...asked, addDirs };
    const plan = planNew(options.newId(), wishes, world.as?.definition);
    const chosen = await choose(plan);
    const session = await openSession(stateDir, plan.session, "create", onFault, mask);
    return { ...world, ...chosen, plan, session };
  };
}

/** Who leads, in which world; and, once there is a plan, with which model and ways out. */
async function settle(
  options: PrepareOptions,
  wanted: RunOptions,
  folder: string,
  state: SessionState | undefined,
  notice: (words: string) => void,
) {
  const { env, stateDir, config } = options;
  const embedded = joinEmbedded(options.embedded, wanted.embedded);
  const cwd = await realFolder(folder);
  const project = openProject(cwd, { env, stateDir, config, trust: wanted.trust ?? false, rules: wanted.rules });
  mustNotBeTooDeep(startedAtDepth(env), project.settings.limits?.maxDepth);
  const agents = await openAgents({
    cwd,
    env,
    trusted: project.trusted,
    stateDir,
    heldBack: project.heldBack,
    own: embedded.agents,
    profiles: project.settings.profiles,
    ...(options.configFile !== undefined && { configFile: options.configFile }),
    ...(wanted.agents !== undefined && { agentsJson: wanted.agents }),
    ...(wanted.agentTypes && { agentTypes: wanted.agentTypes }),
  });
  const known = await agents.snapshot();
  const tools = leadTools(known, embedded, wanted.agent ?? state?.opened?.definition?.name);
  if (embedded.allTools.length > 0) mustBeDistinct([...new Set([...tools, ...embedded.allTools])]);
  mustNameTools(wanted.rules, [...tools, ...embedded.allTools]);
  for (const words of doubtfulRules(project.settings.rules, [...tools, ...embedded.allTools])) notice(words);
  const as = leadAgent(wanted.agent, state, {
    known,
    tools,
    maxDepth: project.settings.limits?.maxDepth,
    hidden: (name) => known.heldBack(name) ?? untrustedAgent(name, { cwd, env, trusted: project.trusted }),
    notice,
  });
  const namesFor = createNamesFor(project.settings, config, embedded.models);
  const own = as ? tools.filter(({ name }) => as.set.tools.includes(name)) : tools;
  return {
    world: { cwd, project, agents, embedded, namesFor, ...(as && { as }) },
    async choose(plan: SessionPlan) {
      const model = (name: string | undefined) => options.chooseModel(name, project.settings, embedded.models);
      const chosen = await leadModel(plan.model, as, model, namesFor, notice);
      await mustHavePrice(plan.budget, chosen);
      // What is recorded holds the definition's already.
      const wish = state ? wanted : withDefinition(wanted, as);
      return { chosen, exit: leadExit(wish, state?.opened?.exit, plan.protocol, own) };
    },
  };
}

/** What the configuration sets for every tree. */
function treeBudget({ limits: { treeTurns, treeMinutes } = {} }: Config): Budget {
  return {
    ...(treeTurns !== undefined && { turns: treeTurns }),
    ...(treeMinutes !== undefined && { ms: treeMinutes * 60_000 }),
  };
}

/** A budget in money that cannot be counted would not be one. */
export async function mustHavePrice(budget: Budget, { model, prices }: ChosenModel): Promise<void> {
  if (budget.usd === undefined || (await prices.priceOf(noUsage))) return;
  throw new HostError(
    `the price of ${model.id} is not known, so --budget-usd cannot hold: set models."${model.id}".price in the configuration, or use --budget-tokens`,
  );
}
