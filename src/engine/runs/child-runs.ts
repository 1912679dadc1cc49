// The children that run now: each in its turn, one slot each, and each with exactly one recorded end. `run` never
// rejects: what goes wrong with a child is that child's result.
import { resultOf } from "../../core/end-state.ts";
import type { Origin } from "../../core/events.ts";
import { type SessionId, runId } from "../../core/ids.ts";
import { text } from "../../core/messages.ts";
import type { RunResult } from "../../core/run-result.ts";
import type { SessionState } from "../../core/session-state.ts";
import { linked } from "../../std/abort.ts";
import { createSlots } from "../../std/slots.ts";
import { admit } from "../sessions/mailbox.ts";
import { type ChildHooks, hookedChild } from "./child-hooks.ts";
import { admitTask } from "./spawn.ts";
import type { SpawnKit } from "./spawn.ts";
import { type Halt, haltOf } from "../loop/run.ts";
import { type RunHandle, launch } from "./launch.ts";
import type { Spawner } from "../../ports/spawner.ts";
import type { TreeWriter } from "./tree-writer.ts";

export type ChildRuns = {
  /** Runs a recorded child to its end; joins it when it runs already. */
  run(child: SessionState, signal: AbortSignal): Promise<RunResult>;
  isLive(session: SessionId): boolean;
  stop(session: SessionId, halt: Halt): boolean;
  /** A run that waits for others gives its place back until the last of its waits is over. */
  away<T>(session: SessionId, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
};

export type ChildRunsOptions = {
  readonly writer: TreeWriter;
  readonly kit: SpawnKit;
  readonly hooks: ChildHooks;
  spawnerOf(origin: Origin): Spawner;
  /** Done before a child's loop begins. */
  recover(origin: Origin): Promise<void>;
};

type Live = { readonly done: Promise<RunResult>; stop(halt: Halt): void };
type Place = { release: (() => void) | undefined; waits: number };

const never = new AbortController().signal;

export function createChildRuns({ writer, kit, hooks, spawnerOf, recover }: ChildRunsOptions): ChildRuns {
  const slots = createSlots(kit.limits.maxConcurrent);
  const live = new Map<SessionId, Live>();
  const places = new Map<SessionId, Place>();

  /** A child that had ended and goes on starts anew; one that a crash or a pause cut off does not. */
  async function withHooks(child: SessionState, origin: Origin, signal: AbortSignal): Promise<RunResult> {
    const hooked = hookedChild(writer.state, child);
    // Only a log that cannot be written fails here, and that ends the run by itself.
    const told = await hooks.start(hooked, child.opened?.model ?? "").catch(() => []);
    const unscope = hooks.scope(hooked);
    try {
      const result = await toItsEnd(child, origin, signal, told);
      if (isEnd(result.status)) await hooks.stop(child.session, result).catch(() => {});
      return result;
    } finally {
      unscope();
    }
  }

  async function toItsEnd(
    child: SessionState,
    origin: Origin,
    signal: AbortSignal,
    told: readonly string[],
  ): Promise<RunResult> {
    const place: Place = { release: undefined, waits: 0 };
    let close: (() => Promise<void>) | undefined;
    try {
      place.release = await slots.take(signal, (at) => tellPlace(child, origin, at));
      places.set(child.session, place);
      await admitTask(kit, writer, child, origin);
      if (told.length > 0) {
        const content = [text(told.join("\n\n"))];
        await admit(writer, origin, { from: "system", how: "steer", content }, kit.random, never);
      }
      const made = await kit.parts(child);
      close = made.close;
      const handle: RunHandle = launch(writer, origin, { ...made.parts, spawner: spawnerOf(origin) }, () =>
        recover(origin),
      );
      const stop = (): void => handle.stop(haltOf(signal.reason));
      if (signal.aborted) stop();
      else signal.addEventListener("abort", stop, { once: true });
      return await handle.result.finally(() => signal.removeEventListener("abort", stop));
    } catch (error) {
      return await endWithout(child, origin, signal, error);
    } finally {
      places.delete(child.session);
      place.release?.();
      await close?.();
    }
  }

  /** The record of a child that could not run: it was stopped while it waited, or could not be made. */
  async function endWithout(
    child: SessionState,
    origin: Origin,
    signal: AbortSignal,
    error: unknown,
  ): Promise<RunResult> {
    const halt = signal.aborted ? haltOf(signal.reason) : undefined;
    const message = halt?.because ?? (error instanceof Error ? error.message : String(error));
    const ending = halt
      ? {
          status: "cancelled" as const,
          output: child.lastText,
          by: halt.by ?? "parent",
          error: { code: "cancelled", message },
        }
      : { status: "failed" as const, output: child.lastText, error: { code: "child", message } };
    const result = resultOf(writer.state, child, ending, kit.clock.now(), kit.transcriptOf(child.path));
    const { seq } = await writer.record(origin, { type: "run.ended", run: runId(kit.random.uuid()), result }, never);
    await writer.durable(seq, origin, never);
    return result;
  }

  function tellPlace(child: SessionState, origin: Origin, place: number): void {
    const { session, path, opened } = child;
    writer.show(origin, { type: "child.queued", child: session, childPath: path, agent: opened?.agent ?? "", place });
  }

  return {
    run(child, signal) {
      const known = live.get(child.session);
      if (known) return known.done;
      const parent = child.opened?.spawnedBy?.session;
      const origin: Origin = { session: child.session, path: child.path, ...(parent && { parent }) };
      const own = linked(signal);
      const done = withHooks(child, origin, own.signal).finally(() => {
        own.unlink();
        live.delete(child.session);
      });
      live.set(child.session, { done, stop: (halt) => own.abort(halt) });
      return done;
    },
    isLive: (session) => live.has(session),
    stop(session, halt) {
      live.get(session)?.stop(halt);
      return live.has(session);
    },
    async away(session, signal, work) {
      const place = places.get(session);
      if (!place) return work();
      if (place.waits++ === 0) {
        place.release?.();
        place.release = undefined;
      }
      try {
        return await work();
      } finally {
        if (--place.waits === 0 && !signal.aborted && places.get(session) === place)
          place.release = await slots.take(signal).catch(() => undefined);
      }
    },
  };
}

export const isEnd = (status: string): boolean =>
  status !== "paused" && status !== "parked" && status !== "running" && status !== "new";
