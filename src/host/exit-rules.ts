// How a run has to end, from what its definition, its call or the person says; and how its prompt tells it.
import type { ExitRules, Protocol } from "../core/events.ts";
import type { JsonObject } from "../core/json.ts";
import { readSchema } from "../core/results/result-schema.ts";
import { YIELD, waysOut } from "../core/results/ways-out.ts";
import { HostError } from "./host-error.ts";
import { yieldToParent } from "../engine/tools/yield-to-parent.ts";
import type { Tool } from "../engine/tools/define-tool.ts";

export type ExitWish = { readonly outputSchema?: JsonObject; readonly exitVia?: readonly string[] };

/** Of something that may wish for more than that. */
export const exitWish = ({ outputSchema, exitVia }: ExitWish): ExitWish => ({
  ...(outputSchema && { outputSchema }),
  ...(exitVia && { exitVia }),
});

export type ReadExit = { readonly exit: ExitRules | undefined } | { readonly problem: string };

/** `tools`: those it has besides the yield. */
export function exitRules(wish: ExitWish, tools: readonly Tool[], protocol: Protocol): ReadExit {
  const { outputSchema, exitVia } = wish;
  const read = outputSchema && readSchema(outputSchema);
  if (read && "problem" in read) return { problem: `the output schema cannot be used: ${read.problem}` };
  if (exitVia && protocol === "bash")
    return { problem: "exit-via names tools, and in the bash protocol there is one way out: the final echo" };
  const ways = exitVia && waysOut(exitVia, [...tools, yieldToParent], outputSchema !== undefined);
  if (ways && "problem" in ways) return ways;
  if (!read && !ways) return { exit: undefined };
  return { exit: { ...(read && { outputSchema: read.schema }), ...(ways && { exitVia: ways.exitVia }) } };
}

/** The lead's: what the person wishes now, over what the session was begun with. */
export function leadExit(
  wished: ExitWish,
  recorded: ExitRules | undefined,
  protocol: Protocol,
  tools: readonly Tool[],
): ExitRules | undefined {
  const wish = { ...recorded, ...exitWish(wished) };
  if (!wish.outputSchema && !wish.exitVia) return undefined;
  const read = exitRules(wish, tools, protocol);
  if ("problem" in read) throw new HostError(read.problem);
  return read.exit;
}

/** What a prompt says of it; the schema itself stands in the tool, where there is one. */
export function exitPrompt({ outputSchema, exitVia }: ExitRules = {}, yields: boolean): string {
  const only = exitVia ? `\n\nYou can end only by calling ${exitVia.join(" or ")}.` : "";
  if (!outputSchema) return only;
  if (yields) return `${only}\n\nYour result is data: hand it in with ${YIELD}, as its schema says.`;
  return `${only}\n\nEnd with one JSON value that fits this schema, and nothing else:\n${JSON.stringify(outputSchema)}`;
}
