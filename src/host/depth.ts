// How deep agents are nested when one starts Sous from a command: found by what a command cannot put away, so that the
// limit holds across processes.
import { DEPTH_VARIABLE } from "../core/caller.ts";
import { HostError } from "./host-error.ts";

export const DEFAULT_MAX_DEPTH = 3;

export function mustNotBeTooDeep(depth: number, maxDepth = DEFAULT_MAX_DEPTH): void {
  if (depth > maxDepth)
    throw new HostError(
      `agents may be nested ${maxDepth} deep, and the agent that started this stands at that depth: do the work there, or raise limits.maxDepth`,
      "failed",
    );
}

/** For the commands of an agent that stands at this depth. */
export const depthMark = (depth: number): Record<string, string> => ({ [DEPTH_VARIABLE]: String(depth + 1) });
