// The composition root: joins adapters to the engine and offers a run as commands in, events out.
import { join } from "node:path";
import { createFileArtifacts } from "../adapters/artifacts/file-artifacts.ts";
import { systemClock, systemRandom } from "../adapters/clock/system-clock.ts";
import { createHttp } from "../adapters/models/http.ts";
import { createProcesses } from "../adapters/processes/create-processes.ts";
import { sweepLeftovers } from "../adapters/processes/leftovers.ts";
import { createLocalWorkspace } from "../adapters/workspaces/local-workspace.ts";
import type { StreamEvent } from "../core/events.ts";
import type { SessionId } from "../core/ids.ts";
import { text } from "../core/messages.ts";
import type { Rules } from "../core/permissions.ts";
import { defaultPatience } from "../core/retry.ts";
import type { RunResult } from "../core/run-result.ts";
import { systemPrompt } from "../core/system-prompt.ts";
import type { TreeState } from "../core/tree-state.ts";
import { noUsage } from "../core/usage.ts";
import { createGuard } from "../engine/guard/guard.ts";
import type { Halt } from "../engine/loop/run.ts";
import { createRateGate } from "../engine/models/rate-gate.ts";
import { defaultCallLimits } from "../engine/models/watchdog.ts";
import { type RunHandle, launch } from "../engine/runs/launch.ts";
import { admit } from "../engine/sessions/mailbox.ts";
import { bash } from "../engine/tools/bash.ts";
import { read } from "../engine/tools/read.ts";
import { createToolbox } from "../engine/tools/toolbox.ts";
import type { Effort } from "../ports/model.ts";
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
  | { readonly type: "hand-in"; readonly halt: Halt }
  | { readonly type: "stop"; readonly halt: Halt };

export type LiveRun = {
  readonly session: SessionId;
  readonly result: Promise<RunResult>;
  snapshot(): TreeState;
  events(listener: (event: StreamEvent) => void): () => void;
  send(command: Command): Promise<void>;
};

export type Host = {
  readonly stateDir: string;
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

  async function begin({ plan, session, chosen, cwd }: Prepared, trigger: string): Promise<void> {
    const { writer, origin } = session;
    for (const event of plan.opening(chosen.model.id, cwd, options.version, trigger))
      await writer.record(origin, event, never);
    if (plan.prompt === undefined) return;
    const content = [text(plan.prompt)];
    await admit(writer, origin, { from: "person", how: "prompt", content }, systemRandom, never);
  }

  async function start(prepared: Prepared, wanted: RunOptions): Promise<RunHandle> {
    const { plan, session, chosen, cwd } = prepared;
    const artifacts = join(session.folder, "artifacts");
    const roots = [cwd, artifacts, ...(await Promise.all(wanted.addDirs.map(realFolder)))];
    const processes = createProcesses({ runMarker: plan.session, secretNames: secretNames(config), stateDir });
    const { maxTurns, retries, model: callLimits } = config.limits ?? {};
    const handle = launch(session.writer, session.origin, {
      system: systemPrompt({ cwd, platform: process.platform, date: isoDate(systemClock.now()) }),
      model: chosen.model,
      prices: chosen.prices,
      ...(wanted.effort && { effort: wanted.effort }),
      tools: createToolbox([read, bash], systemClock),
      limits: { ...(maxTurns !== undefined && { maxTurns }), ...plan.limits },
      guard: createGuard({ roots, rules: wanted.rules }),
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
    });
    const closed = handle.result.finally(async () => {
      processes.close();
      await session.log.close();
    });
    return { ...handle, result: closed };
  }

  return {
    stateDir,
    sweep: () => sweepLeftovers(stateDir),
    async run(wanted, watcher = {}) {
      const prepared = await prepare(wanted, (words) => watcher.notice?.(words));
      const { writer, origin, notices } = prepared.session;
      for (const words of notices) watcher.notice?.(words);
      if (watcher.event) writer.subscribe((event) => watcher.event?.(event));
      await begin(prepared, wanted.trigger);
      const handle = await start(prepared, wanted);
      return {
        session: origin.session,
        result: handle.result,
        snapshot: () => writer.state,
        events: (listener) => writer.subscribe(listener),
        async send(command) {
          if (command.type === "hand-in") return handle.handIn(command.halt);
          if (command.type === "stop") return handle.stop(command.halt);
          const content = [text(command.text)];
          await admit(writer, origin, { from: "person", how: command.how, content }, systemRandom, never);
        },
      };
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
