// A tool is a value: its name, what it takes, what it may touch, and what it does. Permission, output bounds and
// records are not its business.
import { type Static, type TSchema } from "typebox";
import { Errors } from "typebox/schema";
import type { AgentPath, CallId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Reach, RunAs } from "../../core/permissions.ts";
import { slimSchema } from "../../core/slim-schema.ts";
import type { ToolOutcome } from "../../core/tool-outcome.ts";
import type { ArtifactSink } from "../../ports/artifacts.ts";
import type { Copies } from "../../ports/copies.ts";
import type { Inbox } from "../../ports/inbox.ts";
import type { Processes } from "../../ports/processes.ts";
import type { Spawner } from "../../ports/spawner.ts";
import type { Search } from "../../ports/search.ts";
import type { Undo } from "../../ports/undo.ts";
import type { Web } from "../../ports/web.ts";
import type { Workspace } from "../../ports/workspace.ts";
import type { FileMemory } from "./file-memory.ts";
import type { Shells } from "./shells.ts";

/** What a running tool is given. */
export type ToolWorld = {
  readonly workspace: Workspace;
  readonly processes: Processes;
  readonly search: Search;
  readonly web: Web;
  readonly undo: Undo;
  /** What this run has seen of files: an edit of what it has not seen is refused. */
  readonly files: FileMemory;
  /** Commands of this run that go on in the background. */
  readonly shells: Shells;
  /** What this call was judged by: it touches this and nothing else, whatever its input names by now. */
  readonly reach: readonly Reach[];
  /** How a command runs that was allowed without a yes; left out, as it is written. */
  readonly runAs?: RunAs;
  /** Whether a rule denies reading this file: what is found in it is left out. */
  hides(path: string): boolean;
  /** Whose call it is. */
  readonly path: AgentPath;
  /** This call, for what outlives it. */
  readonly call: CallId;
  /** It had begun before the process died, and is taken up again. */
  readonly again: boolean;
  /** For agents that may have children. */
  readonly spawner?: Spawner;
  /** Of its children, for agents that may have some. */
  readonly copies?: Copies;
  readonly inbox: Inbox;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Shows people what is going on; never recorded. */
  progress(text: string): void;
  /** Opens the file that takes what is too long to be said. */
  spill(): ArtifactSink;
};

/** What may be looked at before a person is asked. */
export type CheckWorld = Pick<ToolWorld, "workspace" | "copies" | "files" | "shells" | "reach" | "signal">;

export type Tool = {
  readonly name: string;
  /** Other names that calls may use. */
  readonly aliases: readonly string[];
  readonly description: string;
  readonly schema: JsonObject;
  /** The model is told the whole schema: it has to fit it at the first try. */
  readonly exactSchema?: boolean;
  /** The schema as most models are told it; made once, for all runs that have the tool. */
  readonly slim?: JsonObject;
  /** It only reads, or doing it twice is the same as once: it may run again after a crash. */
  readonly repeatable: boolean;
  /** It stands for something durable: the call may stay open, and is taken up again with it. */
  readonly lasting: boolean;
  /** Where the input decides on these two. */
  kindOf?(input: JsonObject): Pick<Tool, "repeatable" | "lasting"> | undefined;
  /** What an agent waits for while it runs. */
  readonly waitsFor: "tool" | "child" | "person" | "parent";
  /** It may run beside other calls of the same reply. */
  readonly parallel: boolean;
  /** The longest it may take, its own limits aside. */
  readonly timeoutMs: number;
  /** Why the input does not fit, or undefined. */
  problem(input: JsonObject): string | undefined;
  reach(world: Pick<ToolWorld, "workspace" | "copies">, input: JsonObject): Promise<readonly Reach[]>;
  /**
   * Why the call would fail as things stand, or undefined. It has no effect: nobody is asked about a call that cannot
   * be made, and it is looked at again after the answer.
   */
  check?(world: CheckWorld, input: JsonObject): Promise<string | undefined>;
  run(world: ToolWorld, input: JsonObject): Promise<ToolOutcome | LeftOpen>;
};

/** Only from a lasting tool: what it stands for has not ended. */
export type LeftOpen = "left open";

export function defineTool<S extends TSchema>(spec: {
  name: string;
  aliases?: readonly string[];
  description: string;
  input: S;
  repeatable?: boolean;
  lasting?: boolean;
  waitsFor?: Tool["waitsFor"];
  parallel?: boolean;
  timeoutMs?: number;
  kindOf?(input: Static<S>): Pick<Tool, "repeatable" | "lasting"> | undefined;
  reach(world: Pick<ToolWorld, "workspace" | "copies">, input: Static<S>): Promise<readonly Reach[]> | readonly Reach[];
  check?(world: CheckWorld, input: Static<S>): Promise<string | undefined>;
  run(world: ToolWorld, input: Static<S>): Promise<ToolOutcome | LeftOpen>;
}): Tool {
  // Safe: `reach`, `check` and `run` are only called with input that `problem` accepted.
  const typed = (input: JsonObject): Static<S> => input as Static<S>;
  const { kindOf, check } = spec;
  const schema = spec.input as unknown as JsonObject;
  let slim: JsonObject | undefined;
  return {
    get slim() {
      return (slim ??= slimSchema(schema));
    },
    name: spec.name,
    aliases: spec.aliases ?? [],
    description: spec.description,
    schema,
    repeatable: spec.repeatable ?? false,
    lasting: spec.lasting ?? false,
    waitsFor: spec.waitsFor ?? "tool",
    parallel: spec.parallel ?? false,
    timeoutMs: spec.timeoutMs ?? 120_000,
    ...(kindOf && { kindOf: (input: JsonObject) => kindOf(typed(input)) }),
    problem: (input) => describeProblem(spec.input, input),
    reach: async (world, input) => spec.reach(world, typed(input)),
    ...(check && { check: (world: CheckWorld, input: JsonObject) => check(world, typed(input)) }),
    run: (world, input) => spec.run(world, typed(input)),
  };
}

function describeProblem(schema: TSchema, input: JsonObject): string | undefined {
  const [fits, problems] = Errors(schema, input);
  if (fits) return undefined;
  return problems
    .slice(0, 5)
    .map((problem) => `${problem.instancePath.replace(/^\//, "").replaceAll("/", ".") || "input"} ${problem.message}`)
    .join("; ");
}
