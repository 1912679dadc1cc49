// The environment of a command: what the run gives it, marks by which it can be found again, and none of the engine's
// secrets.
import { RUN_VARIABLE } from "../../core/caller.ts";
import type { ProcessIdentity } from "./process-identity.ts";

/** Which run, and which engine under it: a resumed run has the same marker and another engine. */
export type Marks = { readonly runMarker: string; readonly engine: ProcessIdentity };

export function commandEnvironment(
  env: Readonly<Record<string, string>>,
  marks: Marks,
  secretNames: readonly string[],
): Record<string, string> {
  const secret = new Set(secretNames);
  const open = Object.entries(env).filter(([name]) => !secret.has(name));
  return { ...Object.fromEntries(open), ...marksAsVariables(marks) };
}

export const marksAsVariables = ({ runMarker, engine }: Marks): Record<string, string> => ({
  [RUN_VARIABLE]: runMarker,
  SOUS_ENGINE: `${engine.pid}-${engine.startTime}`,
});
