// The live runs of one tree: starts children, gives out slots, and brings each result to its parent exactly once.
// It owns who runs and nothing else; limits and decisions are in core, what a child is made of comes from the host.
import { deliveredReport } from "../../core/child-report.ts";
import type { Origin } from "../../core/events.ts";
import type { CallId, InputId, SessionId } from "../../core/ids.ts";
import { text } from "../../core/messages.ts";
import type { RunResult } from "../../core/run-result.ts";
import type { SessionState } from "../../core/session-state.ts";
import type { ChildView, SpawnRequest, Spawned, Spawner } from "../../ports/spawner.ts";
import { type Slots, createSlots } from "../../std/slots.ts";
import { orAborted } from "../../std/abort.ts";
import { singleFlight } from "../../std/single-flight.ts";
import type { Halt } from "../loop/run.ts";
import { admit } from "../sessions/mailbox.ts";
import { type RunHandle, launch } from "./launch.ts";
import { type ChildParts, type ChildPlan, type SpawnKit, planChild, reopen } from "./spawn.ts";
import type { TreeWriter } from "./tree-writer.ts";

export type RunTree = {
  launchLead(origin: Origin, parts: ChildParts): RunHandle;
};

const SUMMARY_CHARS = 300;

type LiveChild = {
  readonly origin: Origin;
  readonly done: Promise<RunResult>;
  readonly ended: AbortController;
  handle: RunHandle | undefined;
};

export function createRunTree(writer: TreeWriter, kit: SpawnKit): RunTree {
  const slots: Slots = createSlots(kit.limits.maxConcurrent);
  const live = new Map<SessionId, LiveChild>();
  const held = new Map<SessionId, () => void>();
  const listeners = new Map<SessionId, Set<() => void>>();
  const never = new AbortController().signal;
  const once = singleFlight<SessionId, void>();
  const stateOf = (session: SessionId): SessionState | undefined => writer.state.sessions.get(session);

  const numbers = new Map<SessionId, number>();
  /** Counts per parent from 1, never reused, also for children that are only being made. */
  const nextNumber = (parent: Origin): number => {
    const last = numbers.get(parent.session) ?? stateOf(parent.session)?.children.size ?? 0;
    numbers.set(parent.session, last + 1);
    return last + 1;
  };

  /** A run that waits for others gives its place back meanwhile. */
  async function withoutSlot<T>(session: SessionId, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const release = held.get(session);
    if (!release) return work();
    release();
    held.delete(session);
    try {
      return await work();
    } finally {
      if (!signal.aborted) held.set(session, await slots.take(signal));
    }
  }

  /** Runs a recorded child to its end; joins it when it runs already. */
  function run(parent: Origin, plan: ChildPlan, signal: AbortSignal): LiveChild {
    const known = live.get(plan.origin.session);
    if (known) return known;
    const ended = new AbortController();
    const child: LiveChild = { origin: plan.origin, ended, handle: undefined, done: begin() };
    live.set(plan.origin.session, child);
    return child;

    async function begin(): Promise<RunResult> {
      const { session, path } = plan.origin;
      const release = await slots.take(AbortSignal.any([signal, ended.signal]), (place) =>
        writer.show(parent, { type: "child.queued", child: session, childPath: path, agent: plan.agent, place }),
      );
      held.set(session, release);
      try {
        const parts = { ...plan.parts, spawner: spawnerOf(plan.origin) };
        child.handle = launch(writer, plan.origin, parts, () => recover(plan.origin));
        const stop = (): void => child.handle?.stop(haltOf(signal.reason));
        if (signal.aborted) stop();
        else signal.addEventListener("abort", stop, { once: true });
        ended.signal.addEventListener("abort", () => child.handle?.stop(haltOf(ended.signal.reason)), { once: true });
        return await child.handle.result.finally(() => signal.removeEventListener("abort", stop));
      } finally {
        held.get(session)?.();
        held.delete(session);
        live.delete(session);
      }
    }
  }

  /** The parent's record of the end; for a child in the background, its report in the parent's mailbox. Once. */
  const deliver = (
    parent: Origin,
    child: SessionId,
    call: CallId,
    background: boolean,
    result: RunResult,
  ): Promise<void> =>
    once(child, async () => {
      if (stateOf(parent.session)?.children.get(child)?.ended) return;
      // The input's name comes from the child's run, so that a crash between the two records does not deliver twice.
      const input = `input-${child}-${stateOf(child)?.run ?? ""}` as InputId;
      if (background && !stateOf(parent.session)?.admitted.has(input)) {
        const content = deliveredReport(result);
        await writer.record(parent, { type: "input.admitted", input, from: "child", how: "steer", content }, never);
      }
      const { status } = result;
      const summary = result.output.slice(0, SUMMARY_CHARS);
      const { seq } = await writer.record(parent, { type: "child.ended", child, call, status, summary }, never);
      await writer.durable(seq, parent, never);
      for (const tell of listeners.get(parent.session) ?? []) tell();
    });

  function spawnerOf(parent: Origin): Spawner {
    const children = (): SessionState[] =>
      [...(stateOf(parent.session)?.children.keys() ?? [])].flatMap((session) => stateOf(session) ?? []);
    const find = (id: string): SessionState | undefined =>
      children().find(
        (child) =>
          child.session === id ||
          child.path === id ||
          stateOf(parent.session)?.children.get(child.session)?.name === id,
      );
    const pending = (): number =>
      [...(stateOf(parent.session)?.children.values() ?? [])].filter((child) => child.background && !child.ended)
        .length;

    async function start(plan: ChildPlan, call: CallId, background: boolean, signal: AbortSignal): Promise<Spawned> {
      const { origin, agent } = plan;
      const name = { session: origin.session, path: origin.path, agent };
      if (background) {
        const child = run(parent, plan, kit.treeSignal);
        child.done.then(
          (result) => deliver(parent, origin.session, call, true, result),
          () => {},
        );
        return { is: "started", child: name };
      }
      const result = await withoutSlot(parent.session, signal, () => run(parent, plan, signal).done);
      if (result.status === "paused" || result.status === "parked")
        return { is: "halted", child: name, why: result.error?.message ?? result.status };
      await deliver(parent, origin.session, call, false, result);
      return { is: "ended", child: name, result };
    }

    return {
      async spawn(request: SpawnRequest, call, signal) {
        const before = children().find((child) => child.opened?.spawnedBy?.call === call);
        if (before) return attach(before, call, signal);
        const plan = await planChild(kit, writer, parent, request, call, nextNumber(parent));
        if ("problem" in plan) return { is: "refused", problem: plan.problem };
        return start(plan, call, request.background, signal);
      },
      children: () => children().map((child) => viewOf(child, stateOf(parent.session))),
      async output(id, block, timeoutMs, signal) {
        const child = find(id);
        if (!child) return undefined;
        const running = live.get(child.session);
        if (block && running) {
          const late = kit.clock.sleep(timeoutMs, signal).then(() => undefined);
          await withoutSlot(parent.session, signal, () => Promise.race([running.done.catch(() => undefined), late]));
        }
        const { result } = child;
        return { ...viewOf(child, stateOf(parent.session)), ...(result && { result }) };
      },
      async stop(id, by) {
        const child = find(id);
        const running = child && live.get(child.session);
        running?.ended.abort({ status: "cancelled", by, because: `stopped by ${by}` });
        return running !== undefined;
      },
      async send(id, words) {
        const child = find(id);
        if (!child || !live.has(child.session)) return false;
        const to = { session: child.session, path: child.path, parent: parent.session };
        await admit(writer, to, { from: "parent", how: "steer", content: [text(words)] }, kit.random, never);
        return true;
      },
      pending,
      async delivered(signal) {
        if (pending() === 0) return;
        const own = listeners.get(parent.session) ?? new Set();
        listeners.set(parent.session, own);
        await withoutSlot(parent.session, signal, () =>
          orAborted(
            new Promise<void>((resolve) => {
              const tell = (): void => {
                own.delete(tell);
                resolve();
              };
              own.add(tell);
            }),
            signal,
          ),
        );
      },
    };

    /** A child that this call made before a crash: its result if it has one, else it goes on. */
    async function attach(child: SessionState, call: CallId, signal: AbortSignal): Promise<Spawned> {
      const background = child.opened?.child?.background ?? false;
      const name = { session: child.session, path: child.path, agent: child.opened?.agent ?? "" };
      if (child.result && child.status !== "paused" && child.status !== "parked" && child.status !== "running") {
        await deliver(parent, child.session, call, background, child.result);
        return background ? { is: "started", child: name } : { is: "ended", child: name, result: child.result };
      }
      return start(await reopen(kit, child), call, background, signal);
    }
  }

  /** Children in the background that a dead process left: taken up again, or their results delivered. */
  async function recover(parent: Origin): Promise<void> {
    for (const ref of stateOf(parent.session)?.children.values() ?? []) {
      const child = stateOf(ref.session);
      if (!child || !ref.background || ref.ended) continue;
      const ended =
        child.result && child.status !== "running" && child.status !== "paused" && child.status !== "parked";
      if (ended) await deliver(parent, ref.session, ref.call, true, child.result!);
      else {
        const running = run(parent, await reopen(kit, child), kit.treeSignal);
        void running.done.then(
          (result) => deliver(parent, ref.session, ref.call, true, result),
          () => {},
        );
      }
    }
  }

  return {
    launchLead(origin, parts) {
      return launch(writer, origin, { ...parts, spawner: spawnerOf(origin) }, () => recover(origin));
    },
  };
}

/** Whatever a signal was aborted with, as the reason a run is stopped. */
function haltOf(reason: unknown): Halt {
  const { because, by, message } = (reason ?? {}) as { because?: string; by?: string; message?: string };
  return { status: "cancelled", by: by ?? "parent", because: because ?? message ?? "its parent was stopped" };
}

function viewOf(child: SessionState, parent: SessionState | undefined): ChildView {
  const ref = parent?.children.get(child.session);
  return {
    session: child.session,
    path: child.path,
    agent: child.opened?.agent ?? "",
    status: child.status === "new" ? "queued" : child.status,
    background: ref?.background ?? false,
    turns: child.turns,
    toolCalls: child.toolCalls,
    lastText: child.lastText,
    ...(ref?.name !== undefined && { name: ref.name }),
  };
}
