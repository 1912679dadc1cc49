// One tree of runs: a lead and its children, each result brought to its parent exactly once. It owns who runs and
// nothing else; what a child is made of comes from the host.
import { deliveredReport } from "../../core/child-report.ts";
import type { Origin } from "../../core/events.ts";
import type { CallId, InputId, SessionId } from "../../core/ids.ts";
import { text } from "../../core/messages.ts";
import type { RunResult } from "../../core/run-result.ts";
import type { ChildRef, SessionState } from "../../core/session-state.ts";
import type { ChildName, ChildView, Spawned, Spawner } from "../../ports/spawner.ts";
import { orAborted } from "../../std/abort.ts";
import { singleFlight } from "../../std/single-flight.ts";
import { admit } from "../sessions/mailbox.ts";
import { createChildHooks } from "./child-hooks.ts";
import { createChildRuns, isEnd } from "./child-runs.ts";
import { type RunHandle, launch } from "./launch.ts";
import { type ChildParts, type SpawnKit, makeChild, noteChild } from "./spawn.ts";
import type { TreeWriter } from "./tree-writer.ts";

export type RunTree = { launchLead(origin: Origin, parts: ChildParts): RunHandle };

const SUMMARY_CHARS = 300;
const never = new AbortController().signal;

export function createRunTree(writer: TreeWriter, kit: SpawnKit): RunTree {
  const hooks = createChildHooks(writer, kit.clock, kit.hooks);
  const runs = createChildRuns({ writer, kit, hooks, spawnerOf, recover });
  const once = singleFlight<SessionId, void>();
  const making = new Map<SessionId, number>();
  const waking = new Set<{ session: SessionId; wake(): void }>();
  const stateOf = (session: SessionId): SessionState | undefined => writer.state.sessions.get(session);
  const refsOf = (session: SessionId): ChildRef[] => [...(stateOf(session)?.children.values() ?? [])];
  const wake = (session: SessionId): void => {
    for (const one of waking) if (one.session === session) one.wake();
  };
  writer.subscribe((event) => {
    if (event.type === "input.admitted") wake(event.session);
  });

  /** The parent's record of the end; for a child in the background, its report in the parent's mailbox. Once. */
  const deliver = (
    parent: Origin,
    ref: Pick<ChildRef, "session" | "call" | "background">,
    result: RunResult,
  ): Promise<void> =>
    once(ref.session, async () => {
      if (!isEnd(result.status) || stateOf(parent.session)?.children.get(ref.session)?.ended) return;
      // The input's name comes from the child's run, so that a crash between the two records does not deliver twice.
      const input = `input-${ref.session}-${stateOf(ref.session)?.run ?? ""}` as InputId;
      if (ref.background && !stateOf(parent.session)?.admitted.has(input)) {
        const content = deliveredReport(result);
        await writer.record(parent, { type: "input.admitted", input, from: "child", how: "steer", content }, never);
      }
      const summary = result.output.slice(0, SUMMARY_CHARS);
      const { status } = result;
      const ended = { type: "child.ended", child: ref.session, call: ref.call, status, summary } as const;
      const { seq } = await writer.record(parent, ended, never);
      await writer.durable(seq, parent, never);
    });

  /** Runs a child in the background to its end or its pause; whoever waits for it is woken either way. */
  function runBehind(
    parent: Origin,
    child: SessionState,
    ref: Pick<ChildRef, "session" | "call" | "background">,
  ): void {
    runs
      .run(child, kit.treeSignal)
      .then((result) => deliver(parent, ref, result))
      // Only a log that cannot be written fails here, and that has already ended the run that owns it.
      .catch(() => {})
      .finally(() => wake(parent.session));
  }

  /** Children that a dead process left: those in the background are taken up again, or their results delivered. */
  async function recover(parent: Origin): Promise<void> {
    await hooks.stopLeft(parent.path, (session) => !isEnd(stateOf(session)?.status ?? "cut off"));
    for (const ref of refsOf(parent.session)) {
      const child = stateOf(ref.session);
      if (!child || !ref.background || ref.ended) continue;
      if (child.result && isEnd(child.status)) await deliver(parent, ref, child.result);
      else runBehind(parent, child, ref);
    }
  }

  function spawnerOf(parent: Origin): Spawner {
    const find = (id: string): SessionState | undefined => {
      const ref = refsOf(parent.session).find((one) => one.session === id || one.path === id || one.name === id);
      return ref && stateOf(ref.session);
    };
    /** What this call made before a crash, whether or not its parent had noted it yet. */
    const madeBy = (call: CallId): SessionState | undefined =>
      [...writer.state.sessions.values()].find(
        ({ opened }) => opened?.spawnedBy?.session === parent.session && opened.spawnedBy.call === call,
      );
    const pending = (): ChildRef[] => refsOf(parent.session).filter((ref) => ref.background && !ref.ended);

    async function follow(child: SessionState, call: CallId, signal: AbortSignal): Promise<Spawned> {
      const name: ChildName = { session: child.session, path: child.path, agent: child.opened?.agent ?? "" };
      const ref = { session: child.session, call, background: child.opened?.child?.background ?? false };
      const had = child.result && isEnd(child.status) ? child.result : undefined;
      if (ref.background) {
        if (had) await deliver(parent, ref, had);
        else runBehind(parent, child, ref);
        return { is: "started", child: name };
      }
      const result = had ?? (await runs.away(parent.session, signal, () => runs.run(child, signal)));
      if (!isEnd(result.status)) return { is: "halted", child: name, why: result.error?.message ?? result.status };
      await deliver(parent, ref, result);
      return { is: "ended", child: name, result };
    }

    return {
      async spawn(request, call, again, signal) {
        const before = again ? madeBy(call) : undefined;
        if (before) {
          await noteChild(writer, parent, before, call);
          return follow(before, call, signal);
        }
        const number = Math.max(highestNumber(writer, parent), making.get(parent.session) ?? 0) + 1;
        making.set(parent.session, number);
        const made = await makeChild(kit, writer, parent, request, call, number, hooks);
        return "problem" in made ? { is: "refused", problem: made.problem } : follow(made.child, call, signal);
      },
      children: () => refsOf(parent.session).flatMap((ref) => viewOf(stateOf(ref.session), ref)),
      async output(id, block, timeoutMs, signal) {
        const child = find(id);
        if (!child) return undefined;
        if (block && runs.isLive(child.session)) {
          const over = new AbortController();
          const late = kit.clock.sleep(timeoutMs, AbortSignal.any([signal, over.signal])).catch(() => undefined);
          await runs.away(parent.session, signal, () => Promise.race([runs.run(child, never), late]));
          over.abort(null);
        }
        const ref = stateOf(parent.session)?.children.get(child.session);
        const [view] = ref ? viewOf(child, ref) : [];
        return view && { ...view, ...(child.result && { result: child.result }) };
      },
      stop: async (id, by) => {
        const child = find(id);
        return (
          child !== undefined && runs.stop(child.session, { status: "cancelled", by, because: `stopped by ${by}` })
        );
      },
      async send(id, words) {
        const child = find(id);
        if (!child || !runs.isLive(child.session)) return false;
        const to = { session: child.session, path: child.path, parent: parent.session };
        await admit(writer, to, { from: "parent", how: "steer", content: [text(words)] }, kit.random, never);
        return true;
      },
      pending: () => pending().length,
      async delivered(signal) {
        const running = (): boolean => pending().some((ref) => runs.isLive(ref.session));
        const isNews = (): boolean => (stateOf(parent.session)?.waiting.length ?? 0) > 0 || pending().length === 0;
        while (!isNews() && running())
          await runs.away(parent.session, signal, () => orAborted(nextWake(parent.session), signal));
        return isNews() ? "news" : "halted";
      },
      async end(halt) {
        const left = refsOf(parent.session).filter((ref) => runs.isLive(ref.session));
        if (halt) for (const ref of left) runs.stop(ref.session, halt);
        for (const ref of left) {
          const child = stateOf(ref.session);
          if (child) await deliver(parent, ref, await runs.run(child, never));
        }
        if (halt) await hooks.stopLeft(parent.path, runs.isLive);
      },
    };
  }

  const nextWake = (session: SessionId): Promise<void> =>
    new Promise((resolve) => {
      const one = { session, wake: () => (waking.delete(one), resolve()) };
      waking.add(one);
    });

  return {
    launchLead: (origin, parts) =>
      launch(writer, origin, { ...parts, spawner: spawnerOf(origin) }, () => recover(origin)),
  };
}

/** Numbers of children are never reused, also of one that was only half made when a process died. */
function highestNumber(writer: TreeWriter, parent: Origin): number {
  const prefix = `${parent.path}::S`;
  let highest = 0;
  for (const { path } of writer.state.sessions.values())
    if (path.startsWith(prefix)) highest = Math.max(highest, Number.parseInt(path.slice(prefix.length), 10) || 0);
  return highest;
}

function viewOf(child: SessionState | undefined, ref: ChildRef): ChildView[] {
  if (!child) return [];
  const { session, path, agent, background, name } = ref;
  const { turns, toolCalls, lastText } = child;
  const status = child.status === "new" ? "queued" : child.status;
  return [
    { session, path, agent, background, status, turns, toolCalls, lastText, ...(name !== undefined && { name }) },
  ];
}
