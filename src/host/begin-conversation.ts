// Joins adapters to the engine for one open session, and offers it as commands in, events out.
import { join } from "node:path";
import { systemRandom } from "../adapters/clock/system-clock.ts";
import { createProcesses } from "../adapters/processes/create-processes.ts";
import { clearTemps } from "../adapters/undo/clear-temps.ts";
import { createFileUndo } from "../adapters/undo/file-undo.ts";
import type { Budget, Mode } from "../core/events.ts";
import { type HookSet, joinSets } from "../core/hooks/hook-set.ts";
import { maskFreeText } from "../core/mask-free-text.ts";
import type { Mask } from "../core/mask.ts";
import { text } from "../core/messages.ts";
import { type Waits, foldWaits } from "../core/waits.ts";
import type { Halt } from "../engine/loop/run.ts";
import type { RateGate } from "../engine/models/rate-gate.ts";
import { createRunTree } from "../engine/runs/run-tree.ts";
import { admit } from "../engine/sessions/mailbox.ts";
import type { Config } from "./config.ts";
import { secretNames } from "./config/key-names.ts";
import { modeAware } from "./control/mode-aware-person.ts";
import { personSteering } from "./control/person-steering.ts";
import { startControl } from "./control/start-control.ts";
import type { Conversation, RunOptions, Watcher } from "./conversation.ts";
import { leadHooks } from "./lead-agent.ts";
import { leadParts } from "./lead-parts.ts";
import type { createModelChoice } from "./model-choice.ts";
import { type Prepared, mustHavePrice } from "./prepare.ts";
import { openSessionHooks } from "./session-hooks.ts";
import { stillThere } from "./standing.ts";
import { sweepCopies } from "./workspaces/sweep-copies.ts";

/** What all runs of a host share. */
export type ConversationSurroundings = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly stateDir: string;
  readonly config: Config;
  readonly gate: RateGate;
  readonly mask: Mask;
  readonly chooseModel: ReturnType<typeof createModelChoice>;
};

const never = new AbortController().signal;

export async function beginConversation(
  surroundings: ConversationSurroundings,
  prepared: Prepared,
  wanted: RunOptions,
  watcher: Watcher,
  functions: HookSet,
): Promise<Conversation> {
  const { env, version, stateDir, config, gate, mask, chooseModel } = surroundings;
  const { plan, session, chosen, cwd } = prepared;
  const { writer, origin, notices } = session;
  if (wanted.resume) await sweepCopies(session);
  if (wanted.resume) await clearTemps(createFileUndo(join(session.folder, "undo")));
  const tell = once((words) => watcher.notice?.(mask.text(words)));
  for (const words of [...prepared.project.notices, ...notices]) tell(words);
  if (watcher.event) writer.subscribe((event) => watcher.event?.(event));
  for (const event of plan.opening(chosen.model.id, cwd, version, wanted.trigger, prepared.exit))
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
    version,
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
    { env, folder: session.folder, ownership: processes.ownership },
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

/** The person hears a sentence once, however many children it is about. */
function once(tell: (words: string) => void): (words: string) => void {
  const told = new Set<string>();
  return (words) => {
    if (told.has(words)) return;
    told.add(words);
    tell(words);
  };
}
