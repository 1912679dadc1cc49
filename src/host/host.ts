// The composition root: joins adapters to the engine and offers a run as commands in, events out.
import { join } from "node:path";
import { createFileArtifacts } from "../adapters/artifacts/file-artifacts.ts";
import { systemClock, systemRandom } from "../adapters/clock/system-clock.ts";
import { createHttp } from "../adapters/models/http.ts";
import { createProcesses } from "../adapters/processes/create-processes.ts";
import { sweepLeftovers } from "../adapters/processes/leftovers.ts";
import { createLocalWorkspace } from "../adapters/workspaces/local-workspace.ts";
import type { Mode, StreamEvent } from "../core/events.ts";
import type { SessionId } from "../core/ids.ts";
import { text } from "../core/messages.ts";
import type { Rules } from "../core/rules.ts";
import type { Person } from "../ports/person.ts";
import { defaultPatience } from "../core/retry.ts";
import type { RunResult } from "../core/run-result.ts";
import { systemPrompt } from "../core/system-prompt.ts";
import type { TreeState } from "../core/tree-state.ts";
import { noUsage } from "../core/usage.ts";
import { createGuard } from "../engine/guard/guard.ts";
import type { Halt } from "../engine/loop/run.ts";
import { createRateGate } from "../engine/models/rate-gate.ts";
import { defaultCallLimits } from "../engine/models/watchdog.ts";
import { type RunParts, launch } from "../engine/runs/launch.ts";
import { admit } from "../engine/sessions/mailbox.ts";
import { bash } from "../engine/tools/bash.ts";
import { read } from "../engine/tools/read.ts";
import { createToolbox } from "../engine/tools/toolbox.ts";
import type { Effort } from "../ports/model.ts";
import type { Processes } from "../ports/processes.ts";
import { readConfig } from "./config.ts";
import { HostError } from "./host-error.ts";
import { type ChosenModel, createModelChoice, secretNames } from "./model-choice.ts";
import { type OpenSession, openSession } from "./open-session.ts";
import { realFolder } from "./real-folder.ts";
import { type SessionPlan, type Wishes, planNew, planResume } from "./session-plan.ts";
import { stateDirOf } from "./state-dir.ts";

export type HostOptions = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly stateDir?: string;
  readonly configFile?: string;
};

export type RunOptions = Wishes & {
  /** Go on with this session; otherwise a new one begins. */
  readonly resume?: SessionId;
  readonly effort?: Effort;
  readonly rules: Rules;
  readonly addDirs: readonly string[];
  /** Who answers when something asks; left out, nobody is there. */
  readonly person?: Person;
  readonly trigger: string;
};

export type Watcher = {
  /** Every event of the tree, from the first this run records. */
  event?(event: StreamEvent): void;
  /** A sentence for the person: damage found, trouble with the disk. */
  notice?(words: string): void;
};

export type Command =
  | { readonly type: "message"; readonly text: string; readonly how: "steer" | "follow-up" }
  | { readonly type: "mode"; readonly mode: Mode }
  | { readonly type: "hand-in"; readonly halt: Halt }
  | { readonly type: "stop"; readonly halt: Halt };

export type LiveRun = {
  readonly session: SessionId;
  readonly result: Promise<RunResult>;
  snapshot(): TreeState;
  events(listener: (event: StreamEvent) => void): () => void;
  send(command: Command): Promise<void>;
};

/** An open session: one run after the other, until it is closed. */
export type Conversation = {
  readonly session: SessionId;
  readonly model: string;
  /** What a session that is resumed without words is told; undefined where it simply goes on. */
  readonly firstPrompt: string | undefined;
  /** Without words it goes on where it was. */
  start(prompt?: string): Promise<LiveRun>;
  changeMode(mode: Mode): Promise<void>;
  snapshot(): TreeState;
  close(): Promise<void>;
};

export type Host = {
  readonly stateDir: string;
  open(options: RunOptions, watcher?: Watcher): Promise<Conversation>;
  /** Opens, runs once, and closes. */
  run(options: RunOptions, watcher?: Watcher): Promise<LiveRun>;
  /** Ends what engines that died left running; says what that was. */
  sweep(): Promise<readonly { readonly pid: number }[]>;
};

export function createHost(options: HostOptions): Host {
  const { env } = options;
  const stateDir = stateDirOf(env, options.stateDir);
  const config = readConfig(env, options.configFile);
  const http = createHttp({ env });
  const gate = createRateGate(systemClock, systemRandom, config.limits?.modelCallsAtOnce ?? 64);
  const never = new AbortController().signal;
  const newId = (): string => systemRandom.uuid();
  const chooseModel = createModelChoice(config, env, http, newId);

  /** The session with its plan, model and folder. Nothing is made on the disk before the wishes are known to be sound. */
  async function prepare(wanted: RunOptions, notice: (words: string) => void): Promise<Prepared> {
    const onFault = (fault: Error): void => notice(fault.message);
    if (!wanted.resume) {
      const plan = planNew(newId(), wanted);
      const [cwd, chosen] = await Promise.all([realFolder(plan.cwd), chooseModel(plan.model)]);
      await mustHavePrice(plan, chosen);
      return { plan, cwd, chosen, session: await openSession(stateDir, plan.session, "create", onFault) };
    }
    const session = await openSession(stateDir, wanted.resume, "existing", onFault);
    try {
      const state = session.writer.state.sessions.get(wanted.resume);
      if (!state) throw new HostError(`session ${wanted.resume} has no readable record`, "failed");
      const plan = planResume(session.writer.state, state, wanted);
      const [cwd, chosen] = await Promise.all([realFolder(plan.cwd), chooseModel(plan.model)]);
      await mustHavePrice(plan, chosen);
      return { plan, cwd, chosen, session };
    } catch (error) {
      await session.log.close();
      throw error;
    }
  }

  async function open(wanted: RunOptions, watcher: Watcher = {}): Promise<Conversation> {
    const prepared = await prepare(wanted, (words) => watcher.notice?.(words));
    const { plan, session, chosen, cwd } = prepared;
    const { writer, origin, notices } = session;
    for (const words of notices) watcher.notice?.(words);
    if (watcher.event) writer.subscribe((event) => watcher.event?.(event));
    for (const event of plan.opening(chosen.model.id, cwd, options.version, wanted.trigger))
      await writer.record(origin, event, never);
    const processes = createProcesses({ runMarker: plan.session, secretNames: secretNames(config), stateDir });
    const parts = await partsOf(prepared, wanted, processes);
    const say = (how: "prompt" | "steer" | "follow-up", words: string): Promise<unknown> =>
      admit(writer, origin, { from: "person", how, content: [text(words)] }, systemRandom, never);
    const changeMode = async (mode: Mode): Promise<void> =>
      void (await writer.record(origin, { type: "mode.changed", mode }, never));
    return {
      session: origin.session,
      model: chosen.model.id,
      firstPrompt: plan.prompt,
      changeMode,
      snapshot: () => writer.state,
      async start(prompt) {
        if (prompt !== undefined) await say("prompt", prompt);
        const handle = launch(writer, origin, parts);
        return {
          session: origin.session,
          result: handle.result,
          snapshot: () => writer.state,
          events: (listener) => writer.subscribe(listener),
          async send(command) {
            if (command.type === "hand-in") return handle.handIn(command.halt);
            if (command.type === "stop") return handle.stop(command.halt);
            if (command.type === "mode") return changeMode(command.mode);
            await say(command.how, command.text);
          },
        };
      },
      async close() {
        processes.close();
        await session.log.close();
      },
    };
  }

  async function partsOf(
    { plan, session, chosen, cwd }: Prepared,
    wanted: RunOptions,
    processes: Processes,
  ): Promise<RunParts> {
    const artifacts = join(session.folder, "artifacts");
    const roots = [cwd, artifacts, ...(await Promise.all(wanted.addDirs.map(realFolder)))];
    const { maxTurns, retries, model: callLimits } = config.limits ?? {};
    return {
      system: systemPrompt({ cwd, platform: process.platform, date: isoDate(systemClock.now()) }),
      model: chosen.model,
      prices: chosen.prices,
      ...(wanted.effort && { effort: wanted.effort }),
      tools: createToolbox([read, bash], systemClock),
      limits: { ...(maxTurns !== undefined && { maxTurns }), ...plan.limits },
      guard: createGuard({ roots, rules: wanted.rules, places: { cwd, home: env["HOME"] ?? "/" } }, wanted.person),
      ...(wanted.person && { person: wanted.person }),
      gate,
      callLimits: { ...defaultCallLimits, ...callLimits },
      patience: { ...defaultPatience, ...(retries !== undefined && { attempts: retries + 1 }) },
      workspace: createLocalWorkspace(cwd),
      processes,
      artifacts: createFileArtifacts(artifacts),
      env: definedOnly(env),
      clock: systemClock,
      random: systemRandom,
      transcript: session.transcript,
    };
  }

  return {
    stateDir,
    open,
    sweep: () => sweepLeftovers(stateDir),
    async run(wanted, watcher) {
      const conversation = await open(wanted, watcher);
      const live = await conversation.start(conversation.firstPrompt);
      return { ...live, result: live.result.finally(() => conversation.close()) };
    },
  };
}

type Prepared = { plan: SessionPlan; session: OpenSession; chosen: ChosenModel; cwd: string };

/** A budget in money that cannot be counted would not be one. */
async function mustHavePrice(plan: SessionPlan, { model, prices }: ChosenModel): Promise<void> {
  if (plan.budget.usd === undefined || (await prices.priceOf(noUsage))) return;
  throw new HostError(
    `the price of ${model.id} is not known, so --budget-usd cannot hold: set models."${model.id}".price in the configuration, or use --budget-tokens`,
  );
}

const isoDate = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const definedOnly = (env: HostOptions["env"]): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined));
