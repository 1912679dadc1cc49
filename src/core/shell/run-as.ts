// How a command runs that was allowed without a yes to its bytes: the text that was judged, with no more than it needs.
import type { Reach, RunAs } from "../permissions.ts";
import { type Cover, uncovered } from "./uncovered.ts";

/** What rules cover, or what only reads; undefined where a rule says exactly this command: then its own bytes run. */
export function runAs(run: Extract<Reach, { may: "run" }>, cover: Cover, guarded: boolean): RunAs | undefined {
  const { command, reading } = run;
  if (cover.rules.some(({ spec }) => spec === command)) return undefined;
  if (cover.rules.some(({ spec }) => spec === undefined)) return runGuarded(run, guarded);
  if (reading?.text === undefined) return undefined;
  const { readOnlyIn } = cover;
  const onlyReads = readOnlyIn && uncovered(run, { rules: [], readOnlyIn }) === undefined;
  if (!onlyReads) return { command: reading.text };
  return { command: reading.inert ?? reading.text, unasked: { readable: readOnlyIn.roots } };
}

/** Whatever it does; but where rules deny some of it, what they were compared with is what runs. */
export const runGuarded = ({ reading }: Extract<Reach, { may: "run" }>, guarded: boolean): RunAs | undefined =>
  guarded && reading?.text !== undefined ? { command: reading.text } : undefined;
