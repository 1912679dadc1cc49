// How deep agents are nested when one starts Sous from a command: the depth goes with the command's environment, so
// that the limit holds across processes.
import { HostError } from "./host-error.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** In the environment of an agent's commands: how deep a lead started there stands. */
const VARIABLE = "SOUS_DEPTH";
export const DEFAULT_MAX_DEPTH = 3;

/** 0 where a person starts it. */
export function leadDepth(env: Env): number {
  const said = Number(env[VARIABLE] ?? 0);
  return Number.isInteger(said) && said > 0 ? said : 0;
}

export function mustNotBeTooDeep(env: Env, maxDepth = DEFAULT_MAX_DEPTH): void {
  const depth = leadDepth(env);
  if (depth > maxDepth)
    throw new HostError(
      `agents may be nested ${maxDepth} deep, and the agent that started this stands at that depth: do the work there, or raise limits.maxDepth`,
      "failed",
    );
}

/** For the commands of an agent that stands at this depth. */
export const depthMark = (depth: number): Record<string, string> => ({ [VARIABLE]: String(depth + 1) });
