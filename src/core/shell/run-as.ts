// How a command runs that rules cover or that only reads: the text that was judged, with no more than it needs.
import type { Reach, RunAs } from "../permissions.ts";
import { type Cover, uncovered } from "./uncovered.ts";

/** undefined where a rule says exactly this command, or all of them: then its own bytes run. */
export function runAs(run: Extract<Reach, { may: "run" }>, cover: Cover): RunAs | undefined {
  const { command, reading } = run;
  if (cover.rules.some(({ spec }) => spec === undefined || spec === command)) return undefined;
  const text = reading?.text;
  if (text === undefined) return undefined;
  const { readOnlyIn } = cover;
  const onlyReads = readOnlyIn && uncovered(run, { rules: [], readOnlyIn }) === undefined;
  return { command: text, ...(onlyReads && { unasked: { readable: readOnlyIn.roots } }) };
}
