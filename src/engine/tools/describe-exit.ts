// How a command ended, in a few words.
import type { Exit } from "../../ports/processes.ts";

export function describeExit(exit: Exit, timeoutMs?: number): string {
  if (exit.ended === "timeout")
    return `ended after its time limit${timeoutMs === undefined ? "" : ` of ${timeoutMs / 1000} s`}`;
  if (exit.ended === "aborted") return "interrupted: it was stopped";
  return exit.code === null ? `ended by ${exit.signal ?? "a signal"}` : `exit code ${exit.code}`;
}
