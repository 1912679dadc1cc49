// Calls whose effect may already have happened: by what they do, not by how they were put. Pure.
import { isObject } from "./json.ts";
import { maskGaps } from "./mask.ts";

type Call = { readonly tool: string; readonly input: unknown };

/** Fields that change how a call is told or waited for, not what it does. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set(["description", "timeout", "run_in_background"]);

/** The same for all calls that would do the same. */
export function effectKey({ tool, input }: Call): string {
  if (!isObject(input)) return `${tool} ${JSON.stringify(input)}`;
  const fields = Object.entries(input).filter(([name]) => !WITHOUT_EFFECT.has(name));
  return `${tool} ${JSON.stringify(Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1))))}`;
}

export function isUnknown({ unknown }: { readonly unknown: ReadonlySet<string> }, call: Call): boolean {
  const key = effectKey(call);
  return unknown.has(key) || [...unknown].some((one) => fits(one, key));
}

/** The call has its result: its effect is known now. */
export function forgetUnknown(unknown: Set<string>, key: string): void {
  for (const one of unknown) if (one === key || fits(one, key)) unknown.delete(one);
}

/** A key that was read from the record has a mask where the call had a secret: anything may stand there. */
function fits(recorded: string, key: string): boolean {
  const [first = "", ...rest] = maskGaps(recorded);
  const last = rest.pop();
  if (last === undefined || !key.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = key.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return key.length - last.length >= at && key.endsWith(last);
}
