// What is wrong with a configuration, as one line that names the key and what it should be.
import type { TSchema } from "typebox";
import { Errors } from "typebox/schema";
import { isObject } from "../../core/json.ts";
import { nearest } from "../../std/nearest.ts";

/** undefined when it fits. */
export function configProblem(schema: TSchema, value: unknown): string | undefined {
  const [fits, problems] = Errors(schema, value);
  if (fits) return undefined;
  // A misspelt key explains what else is missing.
  const problem = problems.find(({ keyword }) => keyword === "additionalProperties") ?? problems[0];
  if (!problem) return "it does not fit";
  const path = pathOf(problem.instancePath);
  const params = problem.params as Record<string, unknown>;
  const at = path.length === 0 ? "it" : path.join(".");
  switch (problem.keyword) {
    case "additionalProperties":
      return unknownKey(schema, path, String((params["additionalProperties"] as unknown[])[0]));
    case "required":
      return `${at} needs "${String((params["requiredProperties"] as unknown[])[0])}"`;
    case "enum":
      return `${at} is one of ${(params["allowedValues"] as unknown[]).join(", ")}; got ${shown(value, path)}`;
    case "type":
      return `${at} must be ${typeNames[String(params["type"])] ?? String(params["type"])}; got ${shown(value, path)}`;
    default:
      return `${at} ${problem.message}; got ${shown(value, path)}`;
  }
}

const typeNames: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

const pathOf = (pointer: string): string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));

function unknownKey(schema: TSchema, path: readonly string[], key: string): string {
  const known = keysAt(schema, path);
  const close = nearest(key, known);
  const hint = close ? `did you mean "${close}"?` : `known are ${known.join(", ")}`;
  return `there is no key "${[...path, key].join(".")}"; ${hint}`;
}

function keysAt(schema: unknown, path: readonly string[]): string[] {
  let at: unknown = schema;
  for (const part of path) {
    if (!isObject(at)) return [];
    const fields = isObject(at["properties"]) ? at["properties"] : {};
    const any = isObject(at["patternProperties"]) ? Object.values(at["patternProperties"])[0] : undefined;
    at = fields[part] ?? any ?? at["items"];
  }
  return isObject(at) && isObject(at["properties"]) ? Object.keys(at["properties"]) : [];
}

/** Short, and never a long text: it may hold what should not be shown. */
function shown(value: unknown, path: readonly string[]): string {
  let at: unknown = value;
  for (const part of path) at = (at as Record<string, unknown> | undefined)?.[part];
  if (Array.isArray(at)) return "a list";
  if (isObject(at)) return "an object";
  const text = JSON.stringify(at) ?? "nothing";
  return text.length <= 20 ? text : "a text";
}
