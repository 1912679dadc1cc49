// The ways out that an agent was given: the only calls by which it may end. Pure.
import { nearest } from "../../std/nearest.ts";
import type { ExitRules } from "../events.ts";

/** Ends a child with its result. */
export const YIELD = "yield_to_parent";
/** Parks the agent until a person has answered; then it goes on. */
export const ASK = "ask_user";

/** A call of this tool that went well ends the agent. */
export const isWayOut = (exit: ExitRules | undefined, tool: string): boolean =>
  tool !== ASK && (exit?.exitVia?.includes(tool) ?? false);

/** Its own names of the tools that were named, or why they cannot be the ways out. */
export function waysOut(
  named: readonly string[],
  tools: readonly { readonly name: string; readonly aliases: readonly string[] }[],
  hasSchema: boolean,
): { readonly exitVia: readonly string[] } | { readonly problem: string } {
  const found = named.map((name) => tools.find((tool) => tool.name === name || tool.aliases.includes(name))?.name);
  const at = found.indexOf(undefined);
  if (at >= 0) {
    const names = tools.map(({ name }) => name);
    const close = nearest(named[at]!, names);
    const hint = close ? `did you mean ${close}?` : `Tools: ${names.join(", ")}`;
    return { problem: `there is no tool "${named[at]}" to end by; ${hint}` };
  }
  const exitVia = [...new Set(found as string[])];
  if (exitVia.length === 0) return { problem: "no tool to end by is named" };
  if (hasSchema && !exitVia.includes(YIELD))
    return { problem: `a result with a schema is handed in by ${YIELD}, which is not among the ways out` };
  return { exitVia };
}
