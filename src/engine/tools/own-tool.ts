// A tool of the program that embeds Sous: its function, seen by the engine as any other tool.
import type { TSchema } from "typebox";
import type { JsonObject } from "../../core/json.ts";
import { type Said, text } from "../../core/messages.ts";
import { type Tool, defineTool } from "./define-tool.ts";

/** What a tool's function is given besides its input. */
export type ToolCallInfo = {
  /** Aborted when the call must end: the run was stopped, or its time is up. */
  readonly signal: AbortSignal;
  /** The folder that the agent works in. */
  readonly cwd: string;
  /** Names this call, as in the events of the run. */
  readonly call: string;
  /** Which agent calls: `ROOT`, `ROOT::S1`, … */
  readonly path: string;
  /** Shows a line to whoever watches; it is not recorded and the model does not see it. */
  progress(line: string): void;
};

/** What a tool's check is given besides its input. */
export type ToolCheckInfo = Pick<ToolCallInfo, "signal" | "cwd">;

/** What a tool says to the model: text, or parts where it has pictures too. Nothing is said as "Done." */
export type ToolReturn = string | readonly Said[] | void;

export type OwnTool = {
  readonly name: string;
  readonly description: string;
  readonly input: object;
  readonly readOnly?: boolean;
  readonly repeatable?: boolean;
  readonly parallel?: boolean;
  readonly timeoutMs?: number;
  check?(input: never, info: ToolCheckInfo): string | undefined | Promise<string | undefined>;
  run(input: never, info: ToolCallInfo): ToolReturn | Promise<ToolReturn>;
};

export function ownTool(tool: OwnTool): Tool {
  const { name, description, readOnly = false, repeatable = readOnly, parallel = readOnly, timeoutMs } = tool;
  return defineTool({
    name,
    description,
    // Safe: JSON Schema is all that a typebox schema is.
    input: tool.input as TSchema,
    repeatable,
    parallel,
    ...(timeoutMs !== undefined && { timeoutMs }),
    reach: () => (readOnly ? [] : [{ may: "act" }]),
    ...(tool.check && {
      // Safe: as for `run`.
      check: async ({ signal, workspace }, input) => tool.check?.(input as never, { signal, cwd: workspace.cwd }),
    }),
    async run({ signal, workspace, call, path, progress }, input) {
      const info: ToolCallInfo = { signal, cwd: workspace.cwd, call, path, progress };
      // Safe: the input fits the schema, from which its type was made.
      return { ok: true, said: saidBy(await tool.run(input as never, info)) };
    },
  });
}

function saidBy(returned: ToolReturn): readonly Said[] {
  if (returned === undefined) return [text("Done.")];
  if (typeof returned === "string") return [text(returned)];
  if (Array.isArray(returned) && returned.every(isSaid)) return returned as readonly Said[];
  throw new TypeError("it gave back neither text nor parts of text and pictures");
}

function isSaid(part: unknown): boolean {
  const { type, text: words, mediaType, data } = Object(part) as JsonObject;
  return type === "text"
    ? typeof words === "string"
    : type === "image" && typeof mediaType === "string" && typeof data === "string";
}
