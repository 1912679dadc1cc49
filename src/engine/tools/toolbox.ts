// The tools of one run: finds them, runs one call within its time, and bounds what it says: the one place where tool
// output is cut.
import { orAborted } from "../../std/abort.ts";
import { type Said, text } from "../../core/messages.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Facts, ToolOutcome } from "../../core/tool-outcome.ts";
import type { ToolSpec } from "../../ports/model.ts";
import { bounded } from "../../std/bounded.ts";
import { nearest } from "../../std/nearest.ts";
import type { Tool, ToolWorld } from "./define-tool.ts";

/** How much of one tool's text a conversation holds. */
export const SAID_LIMITS = { head: 24_000, tail: 8_000 } as const;

export type Toolbox = {
  readonly specs: readonly ToolSpec[];
  find(name: string): Tool | undefined;
  /** What to tell a model that asked for a tool that is not here. */
  missing(name: string): string;
  execute(tool: Tool, input: JsonObject, world: ToolWorld): Promise<ToolOutcome>;
};

export function createToolbox(tools: readonly Tool[]): Toolbox {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const names = [...byName.keys()];
  return {
    specs: tools.map(({ name, description, schema }) => ({ name, description, schema })),
    find: (name) => byName.get(name),
    missing: (name) => {
      const close = nearest(name, names);
      return `There is no tool "${name}".${close ? ` Did you mean ${close}?` : ""} Tools: ${names.join(", ")}.`;
    },
    execute,
  };
}

async function execute(tool: Tool, input: JsonObject, world: ToolWorld): Promise<ToolOutcome> {
  try {
    const outcome = await orAborted(tool.run(world, input), world.signal);
    return { ...outcome, ...bound(outcome, world) };
  } catch (error) {
    if (world.signal.aborted) {
      const why = world.signal.reason instanceof Error ? world.signal.reason.message : String(world.signal.reason);
      return { ok: false, why: "interrupted", said: [text(`Interrupted: ${why}`)] };
    }
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, why: "failed", said: [text(`${tool.name} failed: ${message}`)] };
  }
}

function bound(outcome: ToolOutcome, world: ToolWorld): { said: readonly Said[]; facts?: Facts } {
  let facts = outcome.facts;
  const said = outcome.said.map((part) => {
    if (part.type !== "text" || part.text.length <= SAID_LIMITS.head + SAID_LIMITS.tail) return part;
    const sink = world.spill();
    const short = bounded(part.text, { ...SAID_LIMITS, spill: sink });
    const artifact = sink.end();
    facts = { ...facts, artifact };
    return text(`${short.text}\n[whole output: ${artifact.path}]`);
  });
  return { said, ...(facts && { facts }) };
}
