// The children that run now: each in its turn, one slot each, and each with exactly one recorded end. `run` never
// rejects: what goes wrong with a child is that child's result.
import type { Origin } from "../../core/events.ts";
import type { SessionId } from "../../core/ids.ts";
import { text } from "../../core/messages.ts";
import type { RunResult } from "../../core/run-result.ts";
import type { SessionState } from "../../core/session-state.ts";
import type { Inbox } from "../../ports/inbox.ts";
import type { Spawner } from "../../ports/spawner.ts";
import { orAborted } from "../../std/abort.ts";
import { type Slots, createSlots } from "../../std/slots.ts";
import { type Halt, haltOf } from "../loop/run.ts";
import { admit } from "../sessions/mailbox.ts";
import { hookedChild } from "./child-hooks.ts";
import { endWithout } from "./end-without.ts";
import { launch } from "./launch.ts";
import { admitWords } from "./record-child.ts";
import type { Problem } from "./spawn-kit.ts";
import { type Tree, freshResult, isEnd, originOf } from "./tree.ts";

export type ChildRuns = {
  /** A place in the queue, for a child that is still being made. */
  reserve(): Place | Problem;
  /** Runs a recorded child to its end; joins it when it runs already. */
  run(child: SessionState, signal: AbortSignal, place?: Place): Promise<RunResult>;
  isLive(session: SessionId): boolean;
  /** Those that run or wait for their turn. */
  live(): Iterable<SessionId>;
  stop(session: SessionId, halt: Halt): boolean;
  /** From now on it ends with the tree, not with the call that started it. */
  detach(session: SessionId): void;
  /** A run that waits for others gives its place back until the last of its waits is over. */
  away<T>(session: SessionId, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
};

export type ChildRunsOptions = {
  readonly tree: Tree;
  spawnerOf(origin: Origin): Spawner;
  inboxOf(origin: Origin): Inbox;
  /** What an interrupted run waits for. */
  words(session: SessionId, signal: AbortSignal): Promise<"words" | "nobody">;
  /** Done before a child's loop begins. */
  recover(origin: Origin): Promise<void>;
  /** A run is over. */
  onEnd(): void;
};

type Live = { readonly done: Promise<RunResult>; stop(halt: Halt): void; detach(): void };
const never = new AbortController().signal;

type Seat = { release: (() => void) | undefined; waits: number };
export type Place = {
  /** Whoever waits is told its place as it changes. */
  seat(signal: AbortSignal, told: (place: number) => void): Promise<() => void>;
  drop(): void;
};

export function createChildRuns(options: ChildRunsOptions): ChildRuns {
  const { tree, spawnerOf, inboxOf, words, recover } = options;
  const { writer, kit, hooks, handles } = tree;
  const slots = createSlots(kit.limits.maxConcurrent);
  const live = new Map<SessionId, Live>();
  const seats = new Map<SessionId, Seat>();

  /** A child that had ended and goes on starts anew; one that a crash or a pause cut off does not. */
  async function withHooks(child: SessionState, origin: Origin, signal: AbortSignal, place: Place): Promise<RunResult> {
    const hooked = hookedChild(writer.state, child);
    // Only a log that cannot be written fails here, and that ends the run by itself.
    const told = await hooks.start(hooked, child.opened?.model ?? "").catch(() => []);
    const unscope = hooks.scope(hooked);
    try {
      const result = await toItsEnd(child, origin, signal, told, place);
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
    place: Place,
  ): Promise<RunResult> {
    const seat: Seat = { release: undefined, waits: 0 };
    const { session } = child;
    let close: (() => Promise<void>) | undefined;
    try {
      const since = kit.clock.now();
      seat.release = await place.seat(signal, (at) => tellPlace(child, origin, at, since));
      seats.set(session, seat);
      await writer.load(session);
      const onDisk = await admitWords(tree, child);
      if (told.length > 0) {
        const content = [text(told.join("\n\n"))];
        await admit(writer, origin, { from: "system", how: "steer", content }, kit.random, never);
      }
      const written = onDisk();
      // Its failure is heard below.
      written.catch(() => {});
      const made = await kit.parts(child);
      close = made.close;
      await written;
      const steering = {
        spawner: spawnerOf(origin),
        inbox: inboxOf(origin),
        purse: tree.purse,
        words: (until: AbortSignal) => words(session, until),
      };
      const handle = launch(writer, origin, { ...made.parts, ...steering }, () => recover(origin));
      handles.set(session, handle);
      const stop = (): void => handle.stop(haltOf(signal.reason));
      if (signal.aborted) stop();
      else signal.addEventListener("abort", stop, { once: true });
      return await handle.result.finally(() => signal.removeEventListener("abort", stop));
    } catch (error) {
      return await endWithout(tree, child, signal.aborted ? { halt: haltOf(signal.reason) } : { error });
    } finally {
      handles.delete(session);
      tree.ending.delete(session);
      seats.delete(session);
      seat.release?.();
      await close?.();
    }
  }

  function tellPlace(child: SessionState, origin: Origin, place: number, since: number): void {
    const { session, path, opened } = child;
    writer.show(origin, { type: "agent.waiting", for: "slot", since, detail: `place ${place}` });
    writer.show(origin, { type: "child.queued", child: session, childPath: path, agent: opened?.agent ?? "", place });
  }

  return {
    reserve() {
      const { maxConcurrent, onLimit } = kit.limits;
      if (onLimit !== "refuse" || slots.hasFree()) return createPlace(slots);
      return { problem: `too many subagents: ${maxConcurrent} run at once, the limit` };
    },
    run(child, signal, place = createPlace(slots)) {
      const { session } = child;
      const known = live.get(session)?.done;
      // One that was stopped before it could begin has its result.
      const ended = freshResult(child, tree.refOf(child));
      if (known || ended) {
        place.drop();
        return known ?? Promise.resolve(ended!);
      }
      const own = new AbortController();
      const follow = (from: AbortSignal): (() => void) => {
        const end = (): void => own.abort(asParent(haltOf(from.reason)));
        if (from.aborted) end();
        else from.addEventListener("abort", end, { once: true });
        return () => from.removeEventListener("abort", end);
      };
      let unlink = follow(signal);
      const detach = (): void => {
        unlink();
        unlink = follow(kit.treeSignal);
      };
      const done = withHooks(child, originOf(child), own.signal, place).finally(() => {
        unlink();
        live.delete(session);
        options.onEnd();
      });
      live.set(session, { done, stop: (halt) => own.abort(halt), detach });
      return done;
    },
    isLive: (session) => live.has(session),
    live: () => live.keys(),
    stop(session, halt) {
      live.get(session)?.stop(halt);
      return live.has(session);
    },
    detach: (session) => live.get(session)?.detach(),
    async away(session, signal, work) {
      const seat = seats.get(session);
      if (!seat) return work();
      if (seat.waits++ === 0) {
        seat.release?.();
        seat.release = undefined;
      }
      try {
        return await work();
      } finally {
        if (--seat.waits === 0 && !signal.aborted && seats.get(session) === seat) {
          const release = await slots.take(signal).catch(() => undefined);
          // Meanwhile it may wait again, have its place by another wait, or have ended.
          if (seat.waits > 0 || seat.release || seats.get(session) !== seat) release?.();
          else seat.release = release;
        }
      }
    },
  };
}

/** Whoever stopped the parent did not stop this child: its parent may speak to it again. */
const asParent = (halt: Halt): Halt => (halt.by === "person" ? { ...halt, by: "parent" } : halt);

function createPlace(slots: Slots): Place {
  const left = new AbortController();
  let last: number | undefined;
  let tell = (at: number): void => void (last = at);
  const taken = slots.take(left.signal, (at) => tell(at));
  const drop = (): void => {
    left.abort(null);
    taken.then(
      (release) => release(),
      () => {},
    );
  };
  return {
    drop,
    async seat(signal, told) {
      tell = told;
      if (last !== undefined) told(last);
      try {
        return await orAborted(taken, signal);
      } catch (error) {
        drop();
        throw error;
      }
    },
  };
}
