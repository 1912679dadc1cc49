// `defineTool`: a function of the embedding program as a tool for agents.
import type { Static, TSchema } from "typebox";
import { type JsonObject, isObject } from "../core/json.ts";
import type { OwnTool, ToolCallInfo, ToolCheckInfo, ToolReturn } from "../engine/tools/own-tool.ts";
import { HostError } from "../host/host-error.ts";

/** What a schema describes: a typebox schema, or JSON Schema written in place; `Otherwise` where types cannot tell. */
export type TypeOf<Schema, Otherwise> = Schema extends TSchema
  ? unknown extends Static<Schema>
    ? Otherwise
    : Static<Schema>
  : Otherwise;

/** A tool of your own. See {@link defineTool}. */
export type ToolDefinition<Schema extends object = object> = {
  /** Letters, digits and underscores, a letter first. Rules and definitions know the tool by it. */
  readonly name: string;
  /** What it does and when to use it, for the model. Every request pays for it: keep it short. */
  readonly description: string;
  /** What it takes: a typebox schema or JSON Schema of an object. Input that does not fit never reaches `run`. */
  readonly input: Schema;
  /** It changes nothing: runs unasked, also beside other calls, and again after a crash. Otherwise each call asks. */
  readonly readOnly?: boolean;
  /** Doing it twice is the same as once: it may run again after a crash. Default: as `readOnly`. */
  readonly repeatable?: boolean;
  /** It may run beside other calls of the same reply. Default: as `readOnly`. */
  readonly parallel?: boolean;
  /** The longest one call may take. Default: two minutes. */
  readonly timeoutMs?: number;
  /**
   * Says why the call would fail as things stand, or nothing. It must change nothing: it is called before anybody is
   * asked about the call, and again after a yes.
   */
  check?(input: TypeOf<Schema, JsonObject>, info: ToolCheckInfo): string | undefined | Promise<string | undefined>;
  /** Does it. What it returns is told to the model, cut when it is long; what it throws is told as a failure. */
  run(input: TypeOf<Schema, JsonObject>, info: ToolCallInfo): ToolReturn | Promise<ToolReturn>;
};

/** Any tool of your own, whatever it takes. */
export type AnyTool = OwnTool;

/**
 * A tool of your own, for `createHost`, `runAgent` and `defineAgent`.
 *
 * It is judged as every other tool: by rules with its name, else it asks unless it is `readOnly`. Each call is recorded
 * before it begins.
 *
 * @throws HostError with code `invalid-tool`.
 */
export function defineTool<const Schema extends object>(tool: ToolDefinition<Schema>): ToolDefinition<Schema> {
  const problem = problemOf(tool);
  if (problem) throw new HostError(`defineTool: ${problem}`, "usage", "invalid-tool");
  return Object.freeze({ ...tool });
}

const NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

function problemOf({ name, description, input, run, timeoutMs }: AnyTool): string | undefined {
  if (typeof name !== "string" || !NAME.test(name))
    return `${JSON.stringify(name)} is no name for a tool: letters, digits and underscores, a letter first, at most 64`;
  if (typeof description !== "string" || description.trim() === "") return `${name} needs a description`;
  if (!isObject(input) || (input["type"] !== "object" && !isObject(input["properties"])))
    return `the input of ${name} is no schema of an object: {type: "object", properties: {…}}`;
  if (typeof run !== "function") return `${name} needs a function run`;
  if (timeoutMs !== undefined && !(timeoutMs > 0)) return `timeoutMs of ${name} must be above 0`;
  return undefined;
}
