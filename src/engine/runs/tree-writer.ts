// The tree's one log writer: records an event, folds it into the tree's state, and shows it to whoever watches.
// Every durable event of a tree goes through `record`.
import type { DurableEvent, Live, LiveEvent, Origin, Recorded, StreamEvent } from "../../core/events.ts";
import { FORMAT } from "../../core/events.ts";
import type { SessionId } from "../../core/ids.ts";
import { type TreeState, foldTree } from "../../core/tree-state.ts";
import type { Clock } from "../../ports/clock.ts";
import { LogFault, type TreeLog } from "../../ports/tree-log.ts";
import { createBreather } from "../../std/breather.ts";
import { type Histories, createHistories } from "./histories.ts";

export type TreeWriter = Histories & {
  readonly state: TreeState;
  /** Waits out a full disk or failing I/O, saying so; throws only when aborted, overtaken or closed. */
  record(origin: Origin, event: DurableEvent, signal: AbortSignal): Promise<Recorded>;
  durable(seq: number, origin: Origin, signal: AbortSignal): Promise<void>;
  show(origin: Origin, event: LiveEvent): void;
  subscribe(listener: (event: StreamEvent) => void): () => void;
};

const RETRY_MS = [100, 250, 500, 1_000, 2_000] as const;

export function createTreeWriter(log: TreeLog, state: TreeState, root: Origin, clock: Clock): TreeWriter {
  const histories = createHistories(log, state);
  const breather = createBreather(clock.ticks);
  const listeners = new Set<(event: StreamEvent) => void>();
  const publish = (event: StreamEvent): void => {
    for (const listener of listeners) {
      try {
        listener(event);
      } catch {
        // Events observe and never change a run: a watcher that breaks sees no more of it.
        listeners.delete(listener);
      }
    }
  };
  const show = (origin: Origin, event: LiveEvent): void => {
    if (listeners.size > 0)
      publish({
        v: FORMAT,
        live: true,
        time: clock.now(),
        session: origin.session,
        path: origin.path,
        ...event,
      } as Live);
  };
  log.onSynced((upTo) => show(root, { type: "log.synced", upTo }));

  async function untilWritten<T>(origin: Origin, signal: AbortSignal, work: () => T | Promise<T>): Promise<T> {
    for (let tries = 0; ; tries++) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof LogFault) || (error.code !== "full" && error.code !== "io")) throw error;
        show(origin, { type: "agent.waiting", for: "disk", since: clock.now(), detail: error.message });
        await clock.sleep(RETRY_MS[Math.min(tries, RETRY_MS.length - 1)]!, signal);
      }
    }
  }

  return {
    state,
    unload: histories.unload,
    load: histories.load,
    async record(origin, event, signal) {
      const recorded = await untilWritten<Recorded>(origin, signal, () => log.append(origin, event));
      foldTree(state, recorded);
      histories.noted(recorded);
      publish(recorded);
      await breather.pause();
      return recorded;
    },
    durable: (seq, origin, signal) => untilWritten(origin, signal, () => log.durable(seq)),
    show,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const originOf = (session: SessionId, path: Origin["path"]): Origin => ({ session, path });
