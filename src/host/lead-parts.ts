// Everything the lead's run needs, and what its children are made from.
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { createFileArtifacts } from "../adapters/artifacts/file-artifacts.ts";
import { maskedArtifacts } from "../adapters/artifacts/masked-artifacts.ts";
import { systemClock, systemRandom } from "../adapters/clock/system-clock.ts";
import { viewFile } from "../adapters/log/layout.ts";
import { fileMemoryStore } from "../adapters/memory/file-memory-store.ts";
import { createRipgrep } from "../adapters/search/ripgrep.ts";
import { createFileUndo } from "../adapters/undo/file-undo.ts";
import { gitWorktrees } from "../adapters/worktrees/git-worktrees.ts";
import { createLocalWorkspace } from "../adapters/workspaces/local-workspace.ts";
import { deniedPaths } from "../core/denied-paths.ts";
import { mayWrite } from "../core/binding.ts";
import type { Mask } from "../core/mask.ts";
import { defaultPatience } from "../core/retry.ts";
import { type Rules, joinRules } from "../core/rules.ts";
import { YIELD } from "../core/results/ways-out.ts";
import type { Hooks } from "../engine/hooks/hooks.ts";
import type { RateGate } from "../engine/models/rate-gate.ts";
import { defaultCallLimits } from "../engine/models/watchdog.ts";
import type { ChildParts, SpawnKit } from "../engine/runs/spawn-kit.ts";
import { createFileMemory } from "../engine/tools/file-memory.ts";
import { createShells } from "../engine/tools/shells.ts";
import { yieldFor } from "../engine/tools/yield-to-parent.ts";
import type { Processes } from "../ports/processes.ts";
import type { Web } from "../ports/web.ts";
import type { ContextOptions } from "./child-context.ts";
import { beyondWorkspace } from "./beyond-workspace.ts";
import { createChildKit } from "./children.ts";
import { exitPrompt } from "./exit-rules.ts";
import { openGrants } from "./grants.ts";
import { createGitFacts } from "./git-facts.ts";
import { startedAtDepth } from "./caller.ts";
import { keysDenied } from "./keys-denied.ts";
import { DEFAULT_MAX_DEPTH, depthMark } from "./depth.ts";
import type { HostOptions } from "./host.ts";
import type { RunOptions } from "./conversation.ts";
import type { Prepared } from "./prepare.ts";
import { leadContext } from "./lead-context.ts";
import type { ChosenModel } from "./model-choice.ts";
import { leadTools } from "./lead-tools.ts";
import { openUnaskedGit } from "./unasked-git.ts";
import { sparingObeyed } from "./obeyed-places.ts";
import { ownPlaces } from "./own-places.ts";
import { createGuard } from "../engine/guard/guard.ts";
import { protocolGuard, protocolParts } from "./protocol.ts";
import { realRules } from "./real-rules.ts";
import { realFolder } from "./real-folder.ts";
import { type TreeWorkspaces, createTreeWorkspaces } from "./workspaces/tree-workspaces.ts";

export type LeadOptions = Prepared & {
  readonly wanted: RunOptions;
  readonly processes: Processes;
  readonly hooks: Hooks;
  readonly gate: RateGate;
  readonly mask: Mask;
  readonly env: HostOptions["env"];
  readonly version: string;
  readonly stateDir: string;
  readonly treeSignal: AbortSignal;
  /** Tells the person, each sentence once. */
  notice(words: string): void;
  chooseModel(name: string): Promise<ChosenModel>;
};

/** How long a tool may show no sign of life. */
const SILENCE_MS = 1_800_000;
/** How long an interrupted agent waits for words where nobody is at the keyboard. */
const HELD_MS = 600_000;

export type LeadParts = {
  readonly parts: ChildParts;
  readonly kit: SpawnKit;
  readonly workspaces: TreeWorkspaces;
};

export async function leadParts(options: LeadOptions): Promise<LeadParts> {
  const { plan, session, chosen, cwd, project, wanted, env, mask, exit } = options;
  const artifacts = join(session.folder, "artifacts");
  const roots = [cwd, artifacts, ...(await Promise.all(wanted.addDirs.map(realFolder)))];
  const { instructions, settings } = project;
  const { maxTurns, retries, model: callLimits, maxConcurrent, maxDepth, maxAgents, onLimit } = settings.limits ?? {};
  const home = env["HOME"] ?? "/";
  const given = joinRules(joinRules(settings.rules, wanted.rules), await keysDenied(env, roots));
  const rules = await realRules(given, { cwd, home });
  const { agents: known } = options;
  const git = createGitFacts(cwd, systemClock);
  const [definitions, branch] = await Promise.all([known.snapshot(), git.branch()]);
  const { embedded } = options;
  const tools = leadTools(definitions, embedded, options.as?.definition.name);
  const yields = exit?.exitVia?.includes(YIELD) ?? false;
  const about = {
    cwd,
    platform: process.platform,
    date: new Date(systemClock.now()).toISOString().slice(0, 10),
    ...(instructions && { instructions: mask.known(instructions) }),
  };
  const context: ContextOptions = {
    about: async () => ({ ...about, ...(await git.all()) }),
    mask,
    memories: fileMemoryStore,
    homes: { home: env["HOME"], root: project.trusted ? project.root : undefined },
    beyond: (agent) => beyondWorkspace(agent, env),
    notice: options.notice,
  };
  const lead = await leadContext(options.as, {
    context,
    about: { ...about, ...branch },
    known: definitions,
    tools,
    model: chosen.model.id,
    protocol: plan.protocol,
    task: plan.prompt ?? "",
  });
  const own = [...(await ownPlaces(env, options.stateDir)), ...project.scripts.paths];
  const grants = openGrants(options.stateDir, project.root, mask);
  const denied = { ...rules, deny: [...rules.deny, ...lead.deny] };
  const unaskedGit = await openUnaskedGit({ cwd, places: roots, folder: join(session.folder, "git"), env });
  const { repository } = unaskedGit;
  const bounds = { roots, rules: denied, trusted: project.trusted, own, grants, ...(repository && { repository }) };
  const anyone = createGuard({ ...bounds, places: { cwd, home } });
  const undo = createFileUndo(join(session.folder, "undo"));
  const leadDepth = startedAtDepth(env);
  const leadEnv = { ...definedOnly(env), ...depthMark(leadDepth) };
  const processes = sparingObeyed(options.processes, {
    ...{
      env,
      stateDir: options.stateDir,
      folder: session.folder,
      artifacts,
      cwd,
      project: project.root,
      roots,
      own,
      scripts: project.scripts.paths,
    },
    denied: deniedPaths(denied.deny, { cwd, home }),
    notice: options.notice,
  });
  const web = lazyWeb(env, rules);
  const workspaces = createTreeWorkspaces({
    folder: await realpath(session.folder),
    stateDir: await realpath(options.stateDir),
    writer: session.writer,
    worktrees: gitWorktrees,
    processes,
    web,
    env: leadEnv,
    undo,
    scripts: project.scripts,
    mayRead: (path) => !anyone.hides(path),
    damaged: session.damaged,
    roots,
    artifacts,
    signal: options.treeSignal,
    notice: options.notice,
  });
  const parts: ChildParts = {
    ...protocolParts(plan.protocol, {
      system: `${lead.system}${exitPrompt(exit, yields)}`,
      model: chosen.model,
      tools: yields ? [...lead.tools, ...yieldFor(exit)] : lead.tools,
      exit,
      clock: systemClock,
      random: systemRandom,
    }),
    prices: chosen.prices,
    ...(wanted.effort && { effort: wanted.effort }),
    limits: { ...(maxTurns !== undefined && { maxTurns }), ...plan.limits },
    ...(lead.temperature !== undefined && { temperature: lead.temperature }),
    guard: protocolGuard(plan.protocol, {
      ...bounds,
      places: { cwd, home },
      narrowing: lead.narrowing,
      ...(lead.memory && { memory: lead.memory.path }),
      ...(lead.beyond && { beyond: lead.beyond }),
      ...(lead.neverAsks && { neverAsks: true }),
      ...(options.as && !mayWrite(options.as.definition) && { readOnly: "its definition lets it only read" }),
    }),
    hooks: options.hooks,
    gate: options.gate,
    callLimits: { ...defaultCallLimits, ...callLimits },
    toolSilenceMs: settings.limits?.tool?.silenceMs ?? SILENCE_MS,
    patience: { ...defaultPatience, ...(retries !== undefined && { attempts: retries + 1 }) },
    workspace: createLocalWorkspace(cwd),
    processes: unaskedGit.holding(processes),
    search: createRipgrep(),
    web,
    undo,
    copies: workspaces.copiesOf(session.origin.path),
    files: createFileMemory(lead.memory),
    shells: createShells(),
    artifacts: maskedArtifacts(createFileArtifacts(artifacts), mask),
    env: leadEnv,
    clock: systemClock,
    random: systemRandom,
    transcript: session.transcript,
  };
  const kit = createChildKit({
    limits: {
      maxConcurrent: wanted.maxConcurrent ?? maxConcurrent ?? 20,
      maxDepth: maxDepth ?? DEFAULT_MAX_DEPTH,
      leadDepth,
      maxAgents: maxAgents ?? 2_000,
      ...(onLimit && { onLimit }),
    },
    treeSignal: options.treeSignal,
    heldMs: wanted.person ? undefined : HELD_MS,
    version: options.version,
    protocol: plan.protocol,
    lead: parts,
    tools,
    ...(lead.ceiling && { asLead: lead.ceiling }),
    embedded,
    cwd,
    context,
    workspaces,
    bounds: { ...bounds, home },
    inbox: {
      approvals: wanted.approvals ?? settings.approvals ?? "deny",
      grants,
      answersAs: `${wanted.trigger} (process ${process.pid})`,
      ...(wanted.person && { person: wanted.person }),
    },
    budgetUsd: () => session.writer.state.budget.usd,
    definitions: () => known.snapshot(),
    chooseModel: options.chooseModel,
    namesFor: options.namesFor,
    transcriptOf: (path) => viewFile(session.folder, path),
  });
  return { parts, kit, workspaces };
}

/** Most runs fetch nothing. A private host is fetched only where a rule allows it by its whole name. */
function lazyWeb(env: HostOptions["env"], { allow }: Rules): Web {
  const allowPrivate = (host: string): boolean =>
    allow.some(({ tool, spec }) => tool === "WebFetch" && spec?.toLowerCase() === `domain:${host.toLowerCase()}`);
  return {
    fetch: async (url, signal, mayFollow) =>
      (await import("../adapters/web/create-web.ts")).createWeb({ env, allowPrivate }).fetch(url, signal, mayFollow),
  };
}

const definedOnly = (env: HostOptions["env"]): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined));
