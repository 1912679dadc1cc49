// Hooks that a program gives as functions, as a set like any other. Throws on what its types forbid: that is a bug there.
import type { HookEvent } from "./hook-events.ts";
import type { FunctionHooks, HookFunction, HookGroup, HookSet } from "./hook-set.ts";
import { matcher } from "./matcher.ts";

export function functionHooks(hooks: FunctionHooks): HookSet {
  const set: { [E in HookEvent]?: HookGroup[] } = {};
  for (const [event, groups] of Object.entries(hooks) as [HookEvent, FunctionHooks[HookEvent]][])
    set[event] = (groups ?? []).map(({ matcher: pattern = "", timeout, run }) => {
      const takes = matcher(pattern);
      if ("problem" in takes) throw new TypeError(`the hook on ${event}: ${takes.problem}`);
      const handler = {
        // Called only with the input of its own event.
        run: { kind: "function", call: run as HookFunction },
        name: run.name || `function on ${event}`,
        ...(timeout !== undefined && { timeoutMs: timeout * 1000 }),
      } as const;
      return { takes, handlers: [handler] };
    });
  return set;
}
