// What is said of an agent that somebody names and nobody is.
import { nearest } from "../../std/nearest.ts";
import type { Assembled } from "./assemble.ts";

/** Without a full stop, so that more can follow. */
export function unknownAgent(name: string, { definitions, alike }: Pick<Assembled, "definitions" | "alike">): string {
  const several = alike(name);
  if (several.length > 0)
    return `"${name}" is the name of several agents: ${several.map((one) => one.name).join(", ")}`;
  const close = nearest(
    name,
    definitions.map((one) => one.name),
  );
  return `there is no agent "${name}"${close ? `; did you mean ${close}?` : ""}`;
}

/** For a person, with the way on. `hidden`: why a file of that name does not count. */
export function noAgent(
  name: string,
  known: Pick<Assembled, "definitions" | "alike">,
  hidden: string | undefined,
): string {
  const unknown = unknownAgent(name, known);
  const reason = hidden === undefined ? "" : unknown.endsWith("?") ? ` (${hidden})` : `: ${hidden}`;
  return `${unknown}${reason} (sous agents list shows all)`;
}
