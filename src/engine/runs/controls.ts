// What people, and parents through their tools, can do with any session of a tree while it is open.
import type { Origin } from "../../core/events.ts";
import { type AgentPath, type InputId, type SessionId, inputId } from "../../core/ids.ts";
import { text } from "../../core/messages.ts";
import type { RunResult } from "../../core/run-result.ts";
import type { ChildRef, SessionState, Waiting } from "../../core/session-state.ts";
import type { Refused, Steered } from "../../ports/spawner.ts";
import { admit } from "../sessions/mailbox.ts";
import type { ChildRuns, Place } from "./child-runs.ts";
import { deliver, deliverInTurn, parentOf } from "./deliveries.ts";
import { endWithout } from "./end-without.ts";
import { type ForkOptions, forkChild } from "./fork.ts";
import { depthOf } from "./tickets.ts";
import { type Tree, freshResult, isEnd, originOf } from "./tree.ts";

/** Whose words or wish it is. An agent never speaks as a person: who calls sets this. */
export type By = "person" | "parent";
export type Done<More = unknown> = Steered<More>;

export type Controls = {
  /** Words for an agent at work; a child that has ended goes on with them. */
  send(session: SessionId, words: string, how: "steer" | "follow-up", from: By): Promise<Done<{ resumed: boolean }>>;
  /** What it does now is interrupted; it stays, and waits for words. */
  interrupt(session: SessionId, by: By): Promise<Done>;
  /** It and all below it end, as cancelled. */
  stop(session: SessionId, by: By): Promise<Done>;
  /** A child that has ended goes on with its whole history; its new result is delivered like that of any in the background. */
  resume(session: SessionId, prompt: string | undefined, by: By): Promise<Done<{ result?: Promise<RunResult> }>>;
  /** The call that waits for this child returns now, and its report comes later. */
  background(session: SessionId, by?: By): Promise<Done>;
  /** A new child with the history of this session, or its last turns; without a prompt it waits to be spoken to. */
  fork(session: SessionId, options?: ForkOptions): Promise<Done<{ session: SessionId; path: AgentPath }>>;
};

export type ControlsParts = {
  readonly tree: Tree;
  readonly runs: ChildRuns;
  behind(parent: Origin, child: SessionState, place?: Place): Promise<RunResult>;
  /** Answers the question the session waits with, if these words may. */
  reply(session: SessionId, words: string, from: By): Promise<boolean>;
};

const ENDED_WELL: ReadonlySet<string> = new Set(["succeeded", "partial", "empty"]);
const GO_ON = "Go on where you were interrupted.";
const never = new AbortController().signal;
const no = (problem: string): Refused => ({ ok: false, problem });

export function createControls({ tree, runs, behind, reply }: ControlsParts): Controls {
  const { writer, kit, handles, stateOf, inTurn } = tree;
  const isLead = ({ opened }: SessionState): boolean => opened?.spawnedBy === undefined;
  const atWork = (state: SessionState): boolean => handles.has(state.session) || runs.isLive(state.session);

  const say = (to: SessionState, words: string, how: "steer" | "follow-up", from: By): Promise<InputId> =>
    admit(writer, originOf(to), { from, how, content: [text(words)] }, kit.random, never);

  const send: Controls["send"] = async (session, words, how, from) => {
    const state = stateOf(session);
    if (!state) return unknown(session);
    if (words.trim() === "") return no("there is nothing to send: give some words");
    if (await reply(session, words, from)) return { ok: true, resumed: false };
    if (atWork(state) || (!isEnd(state.status) && !isIdle(state, tree.refOf(state)))) {
      if (isLead(state) && !atWork(state)) return notHere(state);
      const input = await say(state, words, how, from);
      if (runs.isLive(session))
        runs
          .run(state, never)
          .then(() => goOnWith(state, input, from))
          // Only a log that cannot be written fails here, and the words are on record.
          .catch(() => {});
      return { ok: true, resumed: false };
    }
    const done = await resume(session, words, from);
    return done.ok ? { ok: true, resumed: true } : done;
  };

  const interrupt: Controls["interrupt"] = async (session, by) => {
    const state = stateOf(session);
    if (!state) return unknown(session);
    const handle = handles.get(session);
    if (state.held) return no(`${state.path} is interrupted already: send it a message to go on`);
    if (!handle)
      return no(
        runs.isLive(session)
          ? `${state.path} has not begun yet: stop it, or send it a message`
          : over(state, tree.refOf(state), "interrupt"),
      );
    const settled = new Promise<boolean>((resolve) => {
      const leave = writer.subscribe((event) => {
        if (event.session !== session) return;
        const isEnding = event.type === "run.ended" || event.type === "run.paused" || event.type === "run.parked";
        if (event.type !== "run.interrupted" && !isEnding) return;
        leave();
        resolve(event.type === "run.interrupted");
      });
      // Its end may be on record already.
      void handle.result.then(() => {
        leave();
        resolve(false);
      });
    });
    handle.interrupt(by);
    return (await settled) ? { ok: true } : no(`${state.path} had just ended (${state.status})`);
  };

  const stop: Controls["stop"] = (session, by) =>
    inTurn(session, async (): Promise<Done> => {
      const state = stateOf(session);
      if (!state) return unknown(session);
      const halt = {
        status: "cancelled",
        by,
        because: `stopped by ${by === "person" ? "a person" : "its parent"}`,
      } as const;
      if (runs.stop(session, halt)) return { ok: true };
      const handle = handles.get(session);
      if (handle) {
        handle.stop(halt);
        return { ok: true };
      }
      if (isLead(state)) return no(`${state.path} is not at work`);
      const ref = tree.refOf(state);
      if (freshResult(state, ref) || (ref?.ended ?? false)) return no(over(state, ref, "stop"));
      // It is paused, parked, or was left by a process that died; and so are those below it, which end first.
      for (const below of leftBelow(state)) await endWithout(tree, below, { halt: { ...halt, by: "parent" } });
      await endWithout(tree, state, { halt });
      return { ok: true };
    }).then(async (done) => {
      const state = stateOf(session);
      if (done.ok && state && !atWork(state) && tree.refOf(state)?.background) await deliver(tree, state);
      return done;
    });

  const leftBelow = ({ path }: SessionState): SessionState[] =>
    [...writer.state.sessions.values()]
      .filter((one) => one.path.startsWith(`${path}::`) && !atWork(one) && !tree.refOf(one)?.ended)
      .filter((one) => !freshResult(one, tree.refOf(one)))
      .toSorted((a, b) => b.path.length - a.path.length);

  const resume: Controls["resume"] = async (session, prompt, by) => {
    const state = stateOf(session);
    if (!state) return unknown(session);
    if (atWork(state)) {
      if (prompt === undefined && !state.held) return no(`${state.path} is at work already`);
      await say(state, prompt ?? GO_ON, "steer", by);
      return { ok: true };
    }
    const ref = tree.refOf(state);
    const parent = parentOf(tree, state);
    if (!ref || !parent) return notHere(state);
    return setToWork(state, ref, parent, by, { input: inputId(kit.random.uuid()), content: [text(prompt ?? GO_ON)] });
  };

  const setToWork = (
    state: SessionState,
    ref: ChildRef,
    parent: Origin,
    by: By,
    words: Pick<Waiting, "input" | "content">,
  ): Promise<Done<{ result: Promise<RunResult> }>> =>
    // All of it in one turn: a stop that comes meanwhile waits for it, and then ends what it began.
    inTurn(state.session, async () => {
      // What its last run gave is brought to its parent before the next begins.
      await deliverInTurn(tree, state);
      const refused = mayNotResume(state, ref, parent, by);
      if (refused !== undefined) return no(refused);
      const place = runs.reserve();
      if ("problem" in place) return no(place.problem);
      const after = state.run && { after: state.run };
      const resumed = { type: "child.resumed", child: state.session, by, ...after, ...words } as const;
      const { seq } = await writer.record(parent, resumed, never);
      await writer.durable(seq, parent, never);
      return { ok: true, result: behind(parent, state, place) };
    });

  /** Words that came to a child just as it ended well are not lost on it: it goes on with them. */
  async function goOnWith(state: SessionState, input: InputId, by: By): Promise<void> {
    const words = state.waiting.find((waiting) => waiting.input === input);
    const ref = tree.refOf(state);
    const parent = parentOf(tree, state);
    if (!words || !ref || !parent || !ENDED_WELL.has(state.status)) return;
    const isFree = (): boolean => !stateOf(parent.session)?.batch?.open.get(ref.call)?.lasting;
    await tree.wakes.until(parent.session, isFree, kit.treeSignal).catch(() => {});
    await setToWork(state, ref, parent, by, { input, content: words.content });
  }

  function mayNotResume(state: SessionState, ref: ChildRef, parent: Origin, by: By): string | undefined {
    const { path, result } = state;
    if (runs.isLive(state.session)) return `${path} is at work already`;
    if (!ref.ended) return `${path} is ${state.status}: it goes on with its tree`;
    if (by === "parent" && result?.status === "cancelled" && result.by === "person")
      return `${path} was stopped by a person: only a person can resume it`;
    const above = stateOf(parent.session);
    // What a person asks of it may wait for its parent; a parent that has ended asks nothing.
    if (by === "parent" && above && !isLead(above) && !atWork(above))
      return `${parent.path}, which ${path} reports to, is not at work: resume that first`;
    if (tree.ending.has(parent.session)) return `${parent.path} is ending, and ${path} with it`;
    if (stateOf(parent.session)?.batch?.open.get(ref.call)?.lasting)
      return `the call that made ${path} has not returned yet`;
    if (depthOf(kit.limits, path) > kit.limits.maxDepth)
      return `${path} is deeper than children may be nested now (${kit.limits.maxDepth})`;
    return undefined;
  }

  const background: Controls["background"] = (session, by = "person") =>
    inTurn(session, async () => {
      const state = stateOf(session);
      const ref = state && tree.refOf(state);
      const parent = state && parentOf(tree, state);
      if (!state) return unknown(session);
      if (!ref || !parent) return no(`${state.path} has no call that waits for it`);
      if (ref.background) return no(`${state.path} is in the background already`);
      if (ref.ended || freshResult(state, ref)) return no(over(state, ref, "send to the background"));
      if (!runs.isLive(session)) return no(`${state.path} is not at work`);
      runs.detach(session);
      const { seq } = await writer.record(parent, { type: "child.backgrounded", child: session, by }, never);
      await writer.durable(seq, parent, never);
      return { ok: true };
    });

  const fork: Controls["fork"] = async (session, options = {}) => {
    const source = stateOf(session);
    if (!source) return unknown(session);
    const made = await forkChild(
      tree,
      runs,
      source,
      options,
      (parent) => (child, place) => behind(parent, child, place),
    );
    if ("problem" in made) return no(made.problem);
    const { session: forked, path } = made.child;
    return { ok: true, session: forked, path };
  };

  return { send, interrupt, stop, resume, background, fork };
}

const unknown = (session: string): Refused => no(`there is no session ${session} in this tree`);
/** A fork that was given nothing to do has not ended; it begins by being spoken to. */
const isIdle = ({ status }: SessionState, ref: ChildRef | undefined): boolean =>
  status === "new" && ref?.ended === true;
const over = (state: SessionState, ref: ChildRef | undefined, what: string): string =>
  isIdle(state, ref)
    ? `${state.path} is idle: there is nothing to ${what}, it begins when it is spoken to`
    : `${state.path} has ended already (${state.status})`;
const notHere = ({ path, session }: SessionState): Refused =>
  no(`${path} is not at work: go on with it by \`sous run --resume ${session}\``);
