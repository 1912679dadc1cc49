// What only a person decides is not decided by a command that an agent runs.
import { startedAtDepth } from "../../host/caller.ts";
import { UsageError } from "./usage-error.ts";

/** `what` is the end of "an agent's command cannot …". */
export function onlyAPerson(what: string): void {
  if (startedAtDepth(process.env) > 0)
    throw new UsageError(`an agent's command cannot ${what}: only a person can, from a terminal of their own`);
}
