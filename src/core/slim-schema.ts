// A tool's schema as a model is told it: the bounds that only a checker needs are left out, since every request pays
// for every byte. What the model sends is still checked against the whole schema.
import { type Json, type JsonObject, isObject } from "./json.ts";

const ONLY_CHECKED = new Set([
  "additionalProperties",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
  "pattern",
]);

export function slimSchema(schema: JsonObject): JsonObject {
  const choices = choicesOf(schema["anyOf"]);
  const kept = Object.entries(schema).flatMap(([key, value]) => {
    if (ONLY_CHECKED.has(key) || (choices && key === "anyOf")) return [];
    if (key === "properties" && isObject(value))
      return [
        [key, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, slim(one as Json)]))] as const,
      ];
    return [[key, slim(value ?? null)] as const];
  });
  return { ...Object.fromEntries(kept), ...(choices && { enum: choices }) };
}

const slim = (value: Json): Json => (isObject(value) ? slimSchema(value as JsonObject) : value);

/** A union of constants is a plain list of choices. */
function choicesOf(union: Json | undefined): Json[] | undefined {
  if (!Array.isArray(union) || union.length === 0) return undefined;
  const constants = union.map((one: Json) => (isObject(one) ? (one as JsonObject)["const"] : undefined));
  return constants.every((one) => one !== undefined) ? (constants as Json[]) : undefined;
}
