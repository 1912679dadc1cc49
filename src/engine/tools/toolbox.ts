// The tools of one run: finds them, runs one call within its time, and bounds what it says: the one place where tool
// output is cut.
import { orAborted } from "../../std/abort.ts";
import { type Said, text } from "../../core/messages.ts";
import type { JsonObject } from "../../core/json.ts";
import { slimSchema } from "../../core/slim-schema.ts";
import type { Facts, ToolOutcome } from "../../core/tool-outcome.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ToolSpec } from "../../ports/model.ts";
import { collectBounded } from "../../std/bounded.ts";
import { nearest } from "../../std/nearest.ts";
import type { LeftOpen, Tool, ToolWorld } from "./define-tool.ts";
import { SAID_LIMITS, spillInto, withArtifact } from "./said-limits.ts";

/** A tool that is told to stop has this long to end what it started and say what it has. */
const ABORT_GRACE_MS = 2_500;

export type Toolbox = {
  readonly specs: readonly ToolSpec[];
  find(name: string): Tool | undefined;
  /** What to tell a model that asked for a tool that is not here. */
  missing(name: string): string;
  execute(tool: Tool, input: JsonObject, world: ToolWorld): Promise<ToolOutcome | LeftOpen>;
};

export function createToolbox(tools: readonly Tool[], clock: Clock): Toolbox {
  const names = tools.map(({ name }) => name);
  const byName = new Map(tools.flatMap((tool) => [tool.name, ...tool.aliases].map((name) => [name, tool] as const)));
  return {
    specs: tools.map(({ name, description, schema, exactSchema, slim }) => ({
      name,
      description,
      schema: exactSchema ? schema : (slim ?? slimSchema(schema)),
    })),
    find: (name) => byName.get(name),
    missing: (name) => {
      const close = nearest(name, names);
      return `There is no tool "${name}".${close ? ` Did you mean ${close}?` : ""} Tools: ${names.join(", ")}.`;
    },
    execute: (tool, input, world) => execute(tool, input, world, clock),
  };
}

async function execute(tool: Tool, input: JsonObject, world: ToolWorld, clock: Clock): Promise<ToolOutcome | LeftOpen> {
  const late = new AbortController();
  const lateOnAbort = (): void => void clock.sleep(ABORT_GRACE_MS).then(() => late.abort(world.signal.reason));
  world.signal.addEventListener("abort", lateOnAbort, { once: true });
  try {
    const outcome = await orAborted(tool.run(world, input), late.signal);
    return outcome === "left open" ? outcome : { ...outcome, ...bound(outcome, world) };
  } catch (error) {
    if (world.signal.aborted) {
      const { message, because } = world.signal.reason as { message?: string; because?: string };
      const why = because ?? message ?? "the run was stopped";
      return { ok: false, why: "interrupted", said: [text(`Interrupted: ${why}`)] };
    }
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, why: "failed", said: [text(`${tool.name} failed: ${message}`)] };
  } finally {
    world.signal.removeEventListener("abort", lateOnAbort);
  }
}

function bound(outcome: ToolOutcome, world: ToolWorld): { said: readonly Said[]; facts?: Facts } {
  let facts = outcome.facts;
  const said = outcome.said.map((part) => {
    // A tool that streams has bounded its own output with the same collector.
    if (part.type !== "text" || facts?.artifact || part.text.length <= SAID_LIMITS.head + SAID_LIMITS.tail) return part;
    let artifact: Facts["artifact"];
    const collector = collectBounded(
      SAID_LIMITS,
      spillInto(world, (kept) => (artifact = kept)),
    );
    collector.write(new TextEncoder().encode(part.text));
    const short = collector.finish();
    facts = { ...facts, ...(artifact && { artifact }) };
    return text(withArtifact(short.text, artifact));
  });
  return { said, ...(facts && { facts }) };
}
