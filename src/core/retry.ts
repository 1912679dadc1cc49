// Whether and when a failed model call is tried again. Pure: the dice are given.
import { type Fault, isPassing } from "./model-fault.ts";

export type Patience = {
  readonly attempts: number;
  readonly baseMs: number;
  readonly capMs: number;
  readonly longestWaitMs: number;
};
export const defaultPatience: Patience = { attempts: 6, baseMs: 500, capMs: 20_000, longestWaitMs: 10 * 60_000 };

export type NextTry =
  { readonly retry: true; readonly inMs: number } | { readonly retry: false; readonly because: string };

export function nextTry(attempt: number, fault: Fault, patience: Patience, dice: number): NextTry {
  if (!isPassing(fault)) return { retry: false, because: "trying again would not help" };
  if (attempt >= patience.attempts) return { retry: false, because: `gave up after ${attempt} attempts` };
  const asked = fault.retryAfterMs ?? 0;
  if (asked > patience.longestWaitMs)
    return { retry: false, because: `the provider asks to wait ${Math.round(asked / 1000)} s` };
  const backoff = Math.min(patience.capMs, patience.baseMs * 2 ** (attempt - 1));
  return { retry: true, inMs: Math.max(asked, backoff * (0.75 + dice / 2)) };
}
