// Several hooks that heard the same event, as one decision: deny over ask over allow; every reason is kept. Pure.
import type { JsonObject } from "../json.ts";
import type { Meant, Permission } from "./read-answer.ts";

export type HookVerdict = {
  readonly permission?: { readonly is: Permission; readonly because: string };
  /** Of the last hook that gave one; not of a call that is denied. */
  readonly updatedInput?: JsonObject;
  readonly block?: string;
  readonly context: readonly string[];
  readonly stop?: string;
};

export const nothingSaid: HookVerdict = { context: [] };

const STRONGEST: readonly Permission[] = ["deny", "ask", "allow"];

export function mergeMeanings(all: readonly Meant[]): HookVerdict {
  const is = STRONGEST.find((one) => all.some(({ permission }) => permission === one));
  const because = all.flatMap(({ permission, reason }) => (permission === is && reason !== undefined ? [reason] : []));
  const updatedInput = all.findLast((one) => one.updatedInput !== undefined)?.updatedInput;
  const blocks = all.flatMap(({ block }) => block ?? []);
  const stop = all.find((one) => one.stop !== undefined)?.stop;
  return {
    context: all.flatMap(({ context }) => context ?? []),
    ...(is && { permission: { is, because: because.join("; ") || "a hook decided so" } }),
    ...(updatedInput && is !== "deny" && { updatedInput }),
    ...(blocks.length > 0 && { block: blocks.join("\n") }),
    ...(stop !== undefined && { stop }),
  };
}
