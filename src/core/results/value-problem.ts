// Why a value does not fit a schema that `readSchema` read, in words for a model; undefined when it fits. Pure.
import { Errors } from "typebox/schema";
import { type Json, type JsonObject, isObject } from "../json.ts";
import { linearPattern } from "./linear-pattern.ts";

const MOST_PROBLEMS = 5;
const MOST_CHOICES = 20;

export function valueProblem(schema: JsonObject, value: Json): string | undefined {
  const [fits, problems] = Errors(checkable(schema), value);
  if (fits) return undefined;
  const said = problems.map((one) => `${placeOf(one.instancePath)} ${choices(one.params) ?? one.message}`);
  return [...new Set(said)].slice(0, MOST_PROBLEMS).join("; ") || "it does not fit";
}

const placeOf = (pointer: string): string => pointer.replace(/^\//, "").replaceAll("/", ".") || "the result";

function choices(params: object): string | undefined {
  const { allowedValues } = params as { allowedValues?: unknown };
  if (!Array.isArray(allowedValues)) return undefined;
  return `must be one of ${allowedValues
    .slice(0, MOST_CHOICES)
    .map((one) => JSON.stringify(one))
    .join(", ")}`;
}

/** Formats whose check is known to be quick; others say something to the model only. */
const FORMATS = new Set<unknown>(["date", "time", "uuid", "ipv4"]);
/** Under these stand values, which may look like schemas. */
const VALUES = new Set(["enum", "const", "default", "examples", "required", "type"]);

/** The schema with its patterns matched in linear time instead of natively. */
function checkable(schema: JsonObject): JsonObject {
  const { pattern, format, ...rest } = schema;
  const copy = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, VALUES.has(key) ? value : inner(key, value as Json)]),
  );
  return {
    ...copy,
    ...(FORMATS.has(format) && { format }),
    ...(typeof pattern === "string" && { "~refine": [refinement(pattern)] as unknown as Json }),
  };
}

function inner(key: string, value: Json): Json {
  if (Array.isArray(value)) return value.map((one) => (isObject(one) ? checkable(one as JsonObject) : one));
  if (!isObject(value)) return value;
  if (key !== "properties" && key !== "patternProperties" && key !== "dependentSchemas")
    return checkable(value as JsonObject);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inner("", one as Json)]));
}

function refinement(source: string) {
  const pattern = linearPattern(source);
  let last: { readonly value: unknown; readonly fits: boolean | undefined } | undefined;
  const test = (value: unknown): boolean | undefined => {
    if (typeof value !== "string" || "problem" in pattern) return true;
    // Who asks whether it fits asks right afterwards why not.
    if (last?.value !== value) last = { value, fits: pattern.test(value) };
    return last.fits;
  };
  return {
    check: (value: unknown): boolean => test(value) === true,
    error: (value: unknown): string =>
      test(value) === undefined ? `is too long to be matched with ${source}` : `must match the pattern ${source}`,
  };
}
