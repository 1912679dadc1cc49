// The composition root: joins adapters to the engine and offers a run as commands in, events out.
import { join } from "node:path";
import { systemClock, systemRandom } from "../adapters/clock/system-clock.ts";
import { createHttp } from "../adapters/models/http.ts";
import { createProcesses } from "../adapters/processes/create-processes.ts";
import { sweepLeftovers } from "../adapters/processes/leftovers.ts";
import { clearTemps } from "../adapters/undo/clear-temps.ts";
import { createFileUndo } from "../adapters/undo/file-undo.ts";
import type { Budget, Mode, StreamEvent } from "../core/events.ts";
import type { SessionId } from "../core/ids.ts";
import type { JsonObject } from "../core/json.ts";
import { createMask } from "../core/mask.ts";
import { type FunctionHooks, type HookSet, joinSets } from "../core/hooks/hook-set.ts";
import { maskFreeText } from "../core/mask-free-text.ts";
import { type Message, text } from "../core/messages.ts";
import type { Person } from "../ports/person.ts";
import type { RunResult } from "../core/run-result.ts";
import type { TreeState } from "../core/tree-state.ts";
import { type Waits, foldWaits } from "../core/waits.ts";
import type { Halt } from "../engine/loop/run.ts";
import { createRateGate } from "../engine/models/rate-gate.ts";
import type { Controls } from "../engine/runs/controls.ts";
import { createRunTree } from "../engine/runs/run-tree.ts";
import { admit } from "../engine/sessions/mailbox.ts";
import { type Config, checkedConfig, readConfig } from "./config.ts";
import { secretNames } from "./config/key-names.ts";
import { readKeys } from "./config/keys-file.ts";
import { modeAware } from "./control/mode-aware-person.ts";
import { personSteering } from "./control/person-steering.ts";
import { speakToChild } from "./control/speak-to-child.ts";
import { startControl } from "./control/start-control.ts";
import type { Embedded } from "./embedded.ts";
import { leadHooks } from "./lead-agent.ts";
import { leadParts } from "./lead-parts.ts";
import { knownSecrets } from "./masking.ts";
import { createModelChoice } from "./model-choice.ts";
import { type Prepared, createPrepare, mustHavePrice } from "./prepare.ts";
import { removeOld } from "./retention.ts";
import type { Wishes } from "./session-plan.ts";
import { mustBeHooks, openSessionHooks } from "./session-hooks.ts";
import { stillThere } from "./standing.ts";
import { sweepCopies } from "./workspaces/sweep-copies.ts";
import { stateDirOf } from "./state-dir.ts";

export type { Approval, Decision, Person } from "../ports/person.ts";

export type HostOptions = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly stateDir?: string;
  readonly configFile?: string;
  /** Instead of any file. */
  readonly config?: Config;
  /** Of the program that embeds us, for all runs. */
  readonly embedded?: Embedded;
};

export type RunOptions = Wishes & {
  /** Go on with this session; otherwise a new one begins. */
  readonly resume?: SessionId;
  /** The child of a resumed session that the prompt is for; its lead goes on with what comes of it. */
  readonly child?: SessionId;
  /** The person trusts the folder for this run. */
  readonly trust?: boolean;
  /** Who answers when something asks; left out, nobody is there. */
  readonly person?: Person;
  /** Agents for this run, as JSON. */
  readonly agents?: string;
  /** Agents from files, each NAME=FILE. */
  readonly agentTypes?: readonly string[];
  /** Of the program that embeds us, for this run. */
  readonly embedded?: Embedded;
  /** Instead of a prompt, for an agent that leads and has an input schema. */
  readonly input?: JsonObject;
  /** Functions that step in, as commands in the configuration do. */
  readonly hooks?: FunctionHooks;
  /** The agent that leads; left out, Sous's own lead. A session that is resumed keeps the one it was begun with. */
  readonly agent?: string;
  /** Children that run at one time; the rest wait. */
  readonly maxConcurrent?: number;
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
  /** What is not named stays. */
  | { readonly type: "budget"; readonly budget: Budget }
  | { readonly type: "hand-in"; readonly halt: Halt }
  | { readonly type: "stop"; readonly halt: Halt };

export type LiveRun = {
  readonly session: SessionId;
  readonly result: Promise<RunResult>;
  snapshot(): TreeState;
  /** What the lead's model was shown and said, without secrets. */
  messages(): readonly Message[];
  events(listener: (event: StreamEvent) => void): () => void;
  send(command: Command): Promise<void>;
  /** What can be done with each session of its tree: speak to it, interrupt, stop, resume, fork, send to the background. */
  readonly controls: Controls;
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
  /** What can be done with each session of its tree. */
  readonly controls: Controls;
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
  /** Removes what the person's retention setting says is old; says how many sessions that was. */
  tidy(): Promise<number>;
  /** Lets go of kept connections; runs that still go on make new ones. */
  close(): void;
};

export function createHost(options: HostOptions): Host {
  const { env } = options;
  const stateDir = stateDirOf(env, options.stateDir);
  const config = options.config ? checkedConfig(options.config, "given") : readConfig(env, options.configFile);
  const http = createHttp({ env });
  const gate = createRateGate(systemClock, systemRandom, config.limits?.modelCallsAtOnce ?? 64);
  const never = new AbortController().signal;
  const newId = (): string => systemRandom.uuid();
  const stored = readKeys(env);
  const mask = createMask(knownSecrets(config, env, stored));
  const chooseModel = createModelChoice({ config, env, http, newId, stored, onKey: mask.add });
  const prepare = createPrepare({ ...options, stateDir, config, mask, newId, chooseModel });

  async function open(wanted: RunOptions, watcher: Watcher = {}): Promise<Conversation> {
    const functions = mustBeHooks(wanted.hooks);
    const prepared = await prepare(wanted, (words) => watcher.notice?.(words));
    try {
      return await begin(prepared, wanted, watcher, functions);
    } catch (error) {
      await prepared.session.log.close();
      throw error;
    }
  }

  async function begin(
    prepared: Prepared,
    wanted: RunOptions,
    watcher: Watcher,
    functions: HookSet,
  ): Promise<Conversation> {
    const { plan, session, chosen, cwd } = prepared;
    const { writer, origin, notices } = session;
    if (wanted.resume) await sweepCopies(session);
    if (wanted.resume) await clearTemps(createFileUndo(join(session.folder, "undo")));
    const tell = once((words) => watcher.notice?.(mask.text(words)));
    for (const words of [...prepared.project.notices, ...notices]) tell(words);
    if (watcher.event) writer.subscribe((event) => watcher.event?.(event));
    for (const event of plan.opening(chosen.model.id, cwd, options.version, wanted.trigger, prepared.exit))
      await writer.record(origin, event, never);
    const processes = createProcesses({ runMarker: plan.session, secretNames: secretNames(config), stateDir });
    const ended = new AbortController();
    const addDirs = await stillThere(plan.standing.addDirs, tell);
    const hooked = openSessionHooks({
      session,
      project: prepared.project,
      processes,
      env,
      functions: joinSets([functions, leadHooks(prepared.as)]),
      notice: tell,
    });
    const { parts, kit, workspaces } = await leadParts({
      ...prepared,
      hooks: hooked.hooks,
      wanted: {
        ...wanted,
        ...plan.standing,
        addDirs,
        ...(wanted.person && { person: modeAware(wanted.person, session.observe) }),
      },
      processes,
      gate,
      mask,
      env,
      version: options.version,
      stateDir,
      treeSignal: ended.signal,
      notice: tell,
      chooseModel: (name) => chooseModel(name, prepared.project.settings, prepared.embedded.models),
    });
    const tree = createRunTree(writer, kit);
    const say = (how: "prompt" | "steer" | "follow-up", words: string): Promise<unknown> =>
      admit(writer, origin, { from: "person", how, content: [text(words)] }, systemRandom, never);
    const changeMode = async (mode: Mode): Promise<void> =>
      void (await writer.record(origin, { type: "mode.changed", mode }, never));
    const changeBudget = async (change: Budget): Promise<void> => {
      const budget = { ...writer.state.budget, ...change };
      await mustHavePrice(budget, chosen);
      await writer.record(origin, { type: "budget.changed", budget }, never);
    };
    /** What a definition begins a session of its own with stands before the person's first words. */
    let opening = wanted.resume ? undefined : prepared.as?.definition.initialPrompt;
    const firstWords = (prompt: string): string => {
      const before = opening;
      opening = undefined;
      return before === undefined ? prompt : `${before}\n\n${prompt}`;
    };
    const waits: Waits = new Map();
    session.observe((event) => foldWaits(waits, event));
    let running = false;
    const control = startControl(
      { env, folder: session.folder },
      {
        root: origin.session,
        state: writer.state,
        waits,
        mask,
        steering: personSteering(tree.controls, writer.state),
        attendance: () => (running ? "running" : "idle"),
        observe: session.observe,
        changeMode,
        changeBudget,
        decide: workspaces.decide,
        answer: tree.answer,
      },
      (words) => watcher.notice?.(mask.text(words)),
    );
    return {
      session: origin.session,
      model: chosen.model.id,
      firstPrompt: plan.prompt,
      changeMode,
      controls: tree.controls,
      snapshot: () => writer.state,
      async start(prompt) {
        if (prompt !== undefined) await say("prompt", firstWords(prompt));
        await hooked.begin(wanted.resume ? "resume" : "startup", chosen.model.id);
        running = true;
        const handle = tree.launchLead(origin, parts);
        const over = handle.result.finally(() => (running = false));
        return {
          session: origin.session,
          result: over.then((result) => maskFreeText(mask, result)),
          snapshot: () => writer.state,
          messages: () => maskFreeText(mask, writer.state.sessions.get(origin.session)?.messages ?? []),
          events: (listener) => writer.subscribe(listener),
          controls: tree.controls,
          async send(command) {
            if (command.type === "hand-in") return handle.handIn(command.halt);
            if (command.type === "stop") return handle.stop(command.halt);
            if (command.type === "mode") return changeMode(command.mode);
            if (command.type === "budget") return changeBudget(command.budget);
            await say(command.how, command.text);
          },
        };
      },
      async close() {
        ended.abort({ status: "cancelled", by: "system", because: "the session was closed" } satisfies Halt);
        await control.close();
        await hooked.end("other");
        await parts.shells.close();
        processes.close();
        await session.log.close();
      },
    };
  }

  return {
    stateDir,
    open,
    sweep: () => sweepLeftovers(stateDir),
    tidy: () => removeOld(stateDir, config.retention, systemClock.now()),
    close: () => http.close(),
    async run(wanted, watcher) {
      const conversation = await open(wanted, watcher);
      const { child, prompt } = wanted;
      try {
        const spoken = child && (await speakToChild(conversation, child, prompt));
        const live = await conversation.start(child ? undefined : conversation.firstPrompt);
        const result = live.result.finally(async () => {
          await (spoken && spoken.ended);
          await conversation.close();
        });
        return { ...live, result };
      } catch (error) {
        await conversation.close();
        throw error;
      }
    },
  };
}

/** The person hears a sentence once, however many children it is about. */
function once(tell: (words: string) => void): (words: string) => void {
  const told = new Set<string>();
  return (words) => {
    if (told.has(words)) return;
    told.add(words);
    tell(words);
  };
}
