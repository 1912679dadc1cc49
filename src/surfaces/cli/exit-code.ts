// What a shell is told about a run.
import type { RunResult } from "../../core/run-result.ts";
import { assertNever } from "../../std/assert-never.ts";

export const USAGE = 2;

export function exitCodeOf(result: RunResult, signal?: NodeJS.Signals): number {
  switch (result.status) {
    case "succeeded":
      return 0;
    case "failed":
    case "stalled":
    case "refused":
    case "interrupted":
      return 1;
    case "limit":
      return 3;
    case "parked":
      return 4;
    case "partial":
    case "empty":
      return 5;
    case "paused":
      return 6;
    case "cancelled":
      return signal ? signalCode(signal) : 1;
    default:
      return assertNever(result.status);
  }
}

const signalCode = (signal: NodeJS.Signals): number =>
  ({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 })[signal as string] ?? 1;
