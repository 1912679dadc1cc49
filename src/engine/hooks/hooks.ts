// The hooks of one tree: those of the configuration act everywhere, those of an agent for its subtree while it runs.
// Whatever a hook does, firing it ends in time and gives a decision; trouble with it is told and decides nothing.
import type { AgentPath } from "../../core/ids.ts";
import type { HookEvent } from "../../core/hooks/hook-events.ts";
import {
  type HookFields,
  type HookInput,
  type HookPlace,
  type HookTree,
  hookInput,
  matchedBy,
} from "../../core/hooks/hook-input.ts";
import { type HookHandler, type HookSet, isEmptySet } from "../../core/hooks/hook-set.ts";
import { type HookVerdict, mergeMeanings, nothingSaid } from "../../core/hooks/merge-meanings.ts";
import { readAnswer } from "../../core/hooks/read-answer.ts";
import { linked } from "../../std/abort.ts";
import { type HookWorld, runHandler } from "./run-handler.ts";

export type Hooks = {
  /** Asked before anything is made for an event: without hooks it costs a look at an empty list. */
  hears(event: HookEvent, path: AgentPath): boolean;
  fire<E extends HookEvent>(
    event: E,
    place: HookPlace,
    fields: HookFields[E],
    signal: AbortSignal,
  ): Promise<HookVerdict>;
  /** An agent's own hooks: from now until the returned function is called. */
  scope(path: AgentPath, set: HookSet, everywhere: boolean): () => void;
  /** Waits a little for hooks that run beside everything, then ends them. */
  close(): Promise<void>;
};

export type HooksOptions = HookWorld &
  HookTree & {
    readonly base: HookSet;
    /** A sentence for the person, kept in the record of the agent it is about. */
    note(place: HookPlace, text: string): Promise<void>;
  };

const LAST_MS = 5_000;

export function createHooks(options: HooksOptions): Hooks {
  const { base, note } = options;
  const bySubtree = new Map<AgentPath, Set<HookSet>>();
  const everywhere = new Set<HookSet>(isEmptySet(base) ? [] : [base]);
  const running = new Set<Promise<unknown>>();
  const closed = new AbortController();

  const isIdle = (): boolean => everywhere.size === 0 && bySubtree.size === 0;
  const setsFor = (path: AgentPath): HookSet[] => [
    ...everywhere,
    ...(bySubtree.size === 0 ? [] : upwards(path).flatMap((one) => [...(bySubtree.get(one) ?? [])])),
  ];
  const hears = (event: HookEvent, path: AgentPath): boolean =>
    !isIdle() && setsFor(path).some((set) => (set[event]?.length ?? 0) > 0);

  async function fireAll(input: HookInput, place: HookPlace, signal: AbortSignal): Promise<HookVerdict> {
    const event = input.hook_event_name;
    const meanings = await Promise.all(
      handlersFor(setsFor(place.origin.path), input).map(async (handler) => {
        const meant = readAnswer(event, await runHandler(options, handler, input, signal));
        for (const words of meant.notes) await note(place, `hook ${event} (${handler.name}): ${words}`);
        return meant;
      }),
    );
    return mergeMeanings(meanings);
  }

  return {
    hears,
    async fire(event, place, fields, signal) {
      if (!hears(event, place.origin.path) || closed.signal.aborted) return nothingSaid;
      const own = linked(signal);
      const end = (): void => own.abort(closed.signal.reason);
      closed.signal.addEventListener("abort", end, { once: true });
      const fired = fireAll(hookInput(options, place, event, fields), place, own.signal);
      running.add(fired);
      try {
        return await fired;
      } finally {
        running.delete(fired);
        closed.signal.removeEventListener("abort", end);
        own.unlink();
      }
    },
    scope(path, set, all) {
      if (isEmptySet(set)) return () => {};
      // A set of its own for each agent: two that were made from one definition do not end each other's.
      const own = { ...set };
      const into = all ? everywhere : (bySubtree.get(path) ?? new Set());
      into.add(own);
      if (!all) bySubtree.set(path, into);
      return () => {
        into.delete(own);
        if (!all && into.size === 0) bySubtree.delete(path);
      };
    },
    async close() {
      const over = new AbortController();
      const late = options.clock.sleep(LAST_MS, over.signal).catch(() => {});
      await Promise.race([Promise.allSettled(running), late]);
      over.abort(null);
      closed.abort(new Error("the session was closed"));
      await Promise.allSettled(running);
    },
  };
}

/** Those that take it; the same command or function only once. */
function handlersFor(sets: readonly HookSet[], input: HookInput): HookHandler[] {
  const name = matchedBy(input);
  const found = new Map<unknown, HookHandler>();
  for (const set of sets)
    for (const { takes, handlers } of set[input.hook_event_name] ?? [])
      if (name === undefined || takes(name))
        for (const handler of handlers) {
          const { run } = handler;
          const key = run.kind === "command" ? run.command : run.call;
          if (!found.has(key)) found.set(key, handler);
        }
  return [...found.values()];
}

/** The path and those above it. */
function upwards(path: AgentPath): AgentPath[] {
  const above = path.lastIndexOf("::");
  return above < 0 ? [path] : [path, ...upwards(path.slice(0, above) as AgentPath)];
}
