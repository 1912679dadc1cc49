// What one session can do with its children.
import type { Origin } from "../../core/events.ts";
import type { CallId } from "../../core/ids.ts";
import { openItems, unseenItems } from "../../core/inbox.ts";
import { saidSoFar } from "../../core/said-so-far.ts";
import { sameSpawn } from "../../core/same-spawn.ts";
import type { RunResult } from "../../core/run-result.ts";
import type { ChildRef, SessionState } from "../../core/session-state.ts";
import type { ChildName, ChildView, Refused, SpawnRequest, Spawned, Spawner } from "../../ports/spawner.ts";
import type { AtRest } from "./at-rest.ts";
import type { ChildRuns, Place } from "./child-runs.ts";
import type { Controls } from "./controls.ts";
import { deliver, isDelivering } from "./deliveries.ts";
import { historyOf } from "./fork.ts";
import { noteChild } from "./record-child.ts";
import { type Made, spawnChild } from "./spawn.ts";
import { type Tree, freshResult, isEnd } from "./tree.ts";

export type SpawnerParts = {
  readonly tree: Tree;
  readonly runs: ChildRuns;
  readonly rest: AtRest;
  readonly controls: Controls;
  /** Runs a child in the background to its end or its pause; whoever waits for it is woken either way. */
  behind(parent: Origin, child: SessionState, place?: Place): Promise<RunResult>;
};

const never = new AbortController().signal;

export function createSpawner({ tree, runs, rest, controls, behind }: SpawnerParts, parent: Origin): Spawner {
  const { writer, kit, wakes, stateOf } = tree;
  const refs = (): ChildRef[] => tree.refsOf(parent.session);
  const find = (id: string): SessionState | undefined => {
    const ref = refs().find((one) => one.session === id || one.path === id || one.name === id);
    return ref && stateOf(ref.session);
  };
  const views = (): ChildView[] => refs().flatMap((ref) => viewOf(stateOf(ref.session), ref).map(asking));
  const atWork = (): SessionState[] =>
    refs().flatMap((ref) => (runs.isLive(ref.session) ? (stateOf(ref.session) ?? []) : []));
  const withChild = async <T>(id: string, act: (child: SessionState) => Promise<T>): Promise<T | Refused> => {
    const child = find(id);
    return child ? act(child) : { ok: false, problem: `there is no child ${id}` };
  };
  /** What this call made before a crash, whether or not its parent had noted it yet. */
  const madeBy = (call: CallId, item: number | undefined): SessionState | undefined =>
    [...writer.state.sessions.values()].find(({ opened }) => {
      const by = opened?.spawnedBy;
      return by?.session === parent.session && by.call === call && by.item === item;
    });
  const asking = (view: ChildView): ChildView => {
    const item = openItems(writer.state.items, view.path).find(({ session }) => session === view.session);
    return item ? { ...view, status: item.to === "parent" ? "waits for your answer" : "waits for a person" } : view;
  };
  const pending = (): ChildRef[] => refs().filter((ref) => ref.background && !ref.ended);

  const isBehind = (child: SessionState): boolean => tree.refOf(child)?.background ?? false;

  const begin = (child: SessionState, signal: AbortSignal, place?: Place): Promise<RunResult> =>
    isBehind(child) ? behind(parent, child, place) : runs.run(child, signal, place);

  async function make(request: SpawnRequest, call: CallId, signal: AbortSignal): Promise<Made> {
    const state = stateOf(parent.session);
    if (!state) return { problem: "the parent has no session" };
    if (sameSpawn(state.messages, call) !== undefined)
      return { problem: "this reply asks for the same child twice; give each a name of its own to have both" };
    const { fork, item } = request;
    const history = fork && (await historyOf(tree, runs, state, fork === true ? undefined : fork));
    if (history && "problem" in history) return history;
    return spawnChild(tree, runs, parent, {
      making: kit.making(request, state),
      title: request.prompt,
      call,
      ...(item !== undefined && { item }),
      ...(history && { history }),
      signal,
      begin: (child, place) => begin(child, signal, place),
    });
  }

  async function follow(child: SessionState, signal: AbortSignal): Promise<Spawned> {
    const name: ChildName = { session: child.session, path: child.path, agent: child.opened?.agent ?? "" };
    if (!isBehind(child)) await endOrBehind(child, signal);
    if (isBehind(child)) {
      void behind(parent, child);
      return { is: "started", child: name };
    }
    const { result } = child;
    if (!result || !isEnd(result.status))
      return { is: "halted", child: name, why: result?.error?.message ?? child.status };
    return { is: "ended", child: name, result };
  }

  /** Until the child has ended and is delivered, has paused, or was sent to the background. */
  async function endOrBehind(child: SessionState, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const sent = wakes.until(child.session, () => isBehind(child), over.signal).catch(() => {});
    const still = (): boolean => runs.isLive(child.session) && !isBehind(child);
    await rest.during(parent.session, tree.refOf(child)?.call, still, () =>
      runs.away(parent.session, signal, () => Promise.race([runs.run(child, signal), sent])),
    );
    over.abort(null);
    if (!isBehind(child)) await deliver(tree, child);
  }

  async function ended(
    children: readonly SessionState[],
    which: "all" | "any",
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<void> {
    const left = children.filter(({ session }) => runs.isLive(session));
    if (left.length === 0 || (which === "any" && left.length < children.length)) return;
    const over = new AbortController();
    const late = kit.clock.sleep(timeoutMs, AbortSignal.any([signal, over.signal])).catch(() => undefined);
    const ends = left.map((child) => runs.run(child, never));
    const wait = which === "any" ? Promise.race(ends) : Promise.all(ends);
    // Who waits for one that asks it something would wait for itself.
    const isAsked = (): boolean =>
      openItems(writer.state.items, parent.path).some(
        ({ session, to }) => to === "parent" && left.some((child) => child.session === session),
      );
    const asked = wakes.until(parent.session, isAsked, over.signal).catch(() => undefined);
    await runs.away(parent.session, signal, () => Promise.race([wait, late, asked])).finally(() => over.abort(null));
  }

  return {
    async spawn(request, call, again, signal) {
      const before = again ? madeBy(call, request.item) : undefined;
      if (before) {
        await tree.inTurn(before.session, async () => {
          await noteChild(tree, before);
          void begin(before, signal);
        });
        return follow(before, signal);
      }
      const made = await make(request, call, signal);
      if ("problem" in made) return { is: "refused", problem: made.problem };
      const spawned = await follow(made.child, signal);
      return made.notes.length === 0 ? spawned : { ...spawned, notes: made.notes };
    },
    children: views,
    items: () => unseenItems(writer.state.items, parent.path),
    async output(id, block, timeoutMs, signal) {
      const child = find(id);
      if (!child) return undefined;
      if (block) await ended([child], "all", timeoutMs, signal);
      const ref = tree.refOf(child);
      const [view] = ref ? viewOf(child, ref) : [];
      const result = ref && freshResult(child, ref);
      return view && { ...view, soFar: saidSoFar(child.messages), ...(result && { result }) };
    },
    async wait(ids, which, timeoutMs, signal) {
      const missing = ids.find((id) => !find(id));
      if (missing !== undefined) return { ok: false, problem: `there is no child ${missing}` };
      const wanted = ids.length > 0 ? ids.flatMap((id) => find(id) ?? []) : atWork();
      await ended(wanted, which, timeoutMs, signal);
      const sessions = new Set(wanted.map(({ session }) => session));
      return { ok: true, children: views().filter(({ session }) => sessions.has(session)) };
    },
    stop: (id) => withChild(id, ({ session }) => controls.stop(session, "parent")),
    interrupt: (id) => withChild(id, ({ session }) => controls.interrupt(session, "parent")),
    send: (id, words) => withChild(id, ({ session }) => controls.send(session, words, "steer", "parent")),
    fork: (id, options) => withChild(id, ({ session }) => controls.fork(session, options)),
    pending: () => pending().length,
    async delivered(signal) {
      const isNews = (): boolean => (stateOf(parent.session)?.waiting.length ?? 0) > 0 || pending().length === 0;
      // One that has ended and is being delivered still brings news.
      const isRunning = (): boolean =>
        pending().some((ref) => runs.isLive(ref.session)) || isDelivering(tree, [parent.session]);
      const isOver = (): boolean => isNews() || !isRunning();
      if (!isOver()) {
        tree.idle.add(parent.session);
        for (const ref of pending()) wakes.wake(ref.session);
        const wait = (): Promise<void> => wakes.until(parent.session, isOver, signal);
        const still = (): boolean => !isOver();
        await rest
          .during(parent.session, undefined, still, () => runs.away(parent.session, signal, wait))
          .finally(() => tree.idle.delete(parent.session));
      }
      return isNews() ? "news" : "halted";
    },
    async end(halt) {
      const left = refs().filter((ref) => runs.isLive(ref.session));
      if (halt) {
        tree.ending.add(parent.session);
        for (const ref of left) runs.stop(ref.session, halt);
      }
      for (const ref of left) {
        const child = stateOf(ref.session);
        if (!child) continue;
        const still = (): boolean => runs.isLive(ref.session);
        await rest.during(parent.session, undefined, still, () => runs.run(child, never));
        await deliver(tree, child);
      }
      if (halt) await tree.hooks.stopLeft(parent.path, runs.isLive);
    },
  };
}

function viewOf(child: SessionState | undefined, ref: ChildRef): ChildView[] {
  if (!child) return [];
  const { session, path, agent, background, name } = ref;
  const { turns, toolCalls, lastText } = child;
  return [
    {
      session,
      path,
      agent,
      background,
      status: statusOf(child, ref),
      turns,
      toolCalls,
      lastText,
      ...(name !== undefined && { name }),
    },
  ];
}

/** As people and parents are told: a child that was spoken to again and has not begun is queued, too. */
function statusOf(child: SessionState, ref: ChildRef): string {
  if (child.held) return "interrupted, waits for words";
  if (child.status === "new") return ref.ended ? "idle" : "queued";
  return isEnd(child.status) && !freshResult(child, ref) ? "queued" : child.status;
}
