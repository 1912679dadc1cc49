// Hooks that a program gives as functions, as a set like any other. Pure.
import { nearest } from "../../std/nearest.ts";
import { HOOK_EVENTS, isHookEvent } from "./hook-events.ts";
import type { FunctionHooks, HookFunction, HookGroup, HookSet } from "./hook-set.ts";
import { matcher } from "./matcher.ts";

export function functionHooks(hooks: FunctionHooks): HookSet | { readonly problem: string } {
  const set: Record<string, HookGroup[]> = {};
  for (const [event, groups = []] of Object.entries(hooks)) {
    if (!isHookEvent(event)) {
      const close = nearest(event, HOOK_EVENTS);
      return { problem: `there is no hook event "${event}"${close ? `; did you mean ${close}?` : ""}` };
    }
    set[event] = [];
    for (const { matcher: pattern = "", timeout, run } of groups) {
      const takes = matcher(pattern);
      if (typeof run !== "function") return { problem: `a hook on ${event} needs "run", a function` };
      if ("problem" in takes) return { problem: `a hook on ${event}: ${takes.problem}` };
      const handler = {
        // Called only with the input of its own event.
        run: { kind: "function", call: run as HookFunction },
        name: run.name || "a function",
        ...(timeout !== undefined && { timeoutMs: timeout * 1000 }),
      } as const;
      set[event].push({ takes, handlers: [handler] });
    }
  }
  return set;
}

export function joinFunctionHooks(all: readonly (FunctionHooks | undefined)[]): FunctionHooks {
  const joined: Record<string, unknown[]> = {};
  for (const hooks of all)
    for (const [event, groups = []] of Object.entries(hooks ?? {})) (joined[event] ??= []).push(...groups);
  return joined as FunctionHooks;
}
