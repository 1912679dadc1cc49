// Hooks, ready to be fired: by event, each group with whom it takes and what it runs.
import type { HookAnswer } from "./hook-answer.ts";
import type { HookEvent } from "./hook-events.ts";
import type { HookInput } from "./hook-input.ts";
import type { Matcher } from "./matcher.ts";

export type HookFunction<E extends HookEvent = HookEvent> = (
  input: HookInput<E>,
  signal: AbortSignal,
) => HookAnswer | void | Promise<HookAnswer | void>;

export type HookHandler = {
  readonly run:
    { readonly kind: "command"; readonly command: string } | { readonly kind: "function"; readonly call: HookFunction };
  /** How it is called when something is told about it. */
  readonly name: string;
  readonly timeoutMs?: number;
};

export type HookGroup = { readonly takes: Matcher; readonly handlers: readonly HookHandler[] };
export type HookSet = { readonly [E in HookEvent]?: readonly HookGroup[] };

export const isEmptySet = (set: HookSet): boolean => Object.values(set).every((groups) => groups.length === 0);

export function joinSets(sets: readonly HookSet[]): HookSet {
  const joined: { [E in HookEvent]?: HookGroup[] } = {};
  for (const set of sets)
    for (const [event, groups] of Object.entries(set)) (joined[event as HookEvent] ??= []).push(...groups);
  return joined;
}

/** As a program gives them: functions in place of commands. */
export type FunctionHooks = {
  readonly [E in HookEvent]?: readonly {
    readonly matcher?: string;
    /** Seconds; default 60. */
    readonly timeout?: number;
    run: HookFunction<E>;
  }[];
};
