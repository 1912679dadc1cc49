// Reads a JSON schema that somebody else wrote, for results and for inputs: its local references are put in place, and
// what is no schema, or could never be checked in reasonable time, is refused in one sentence.
import { type Json, type JsonObject, isObject } from "../json.ts";
import { linearPattern } from "./linear-pattern.ts";

export type ReadSchema = { readonly schema: JsonObject } | { readonly problem: string };

const MOST_CHARS = 64_000;
const MOST_DEPTH = 32;
const MOST_PARTS = 2_000;

export function readSchema(given: unknown): ReadSchema {
  if (!isObject(given)) return { problem: "a schema is a JSON object" };
  try {
    if (JSON.stringify(given).length > MOST_CHARS) return { problem: `it is larger than ${MOST_CHARS / 1000} kB` };
    const root = given as JsonObject;
    const schema = readPart({ root, parts: { left: MOST_PARTS }, depth: 0, within: [] }, root, "");
    if (!isObject(schema) || !SAYS_SOMETHING.some((key) => schema[key] !== undefined))
      return { problem: "it says nothing about its value: give it a type, properties or a choice" };
    return { schema: withType(schema as JsonObject) };
  } catch (error) {
    if (error instanceof Unfit) return { problem: error.message };
    // A value that is its own part is no JSON.
    if (error instanceof TypeError || error instanceof RangeError) return { problem: "it is no JSON" };
    throw error;
  }
}

class Unfit extends Error {}

type Place = {
  readonly root: JsonObject;
  readonly parts: { left: number };
  readonly depth: number;
  /** The references that led here. */
  readonly within: readonly string[];
};

const SAYS_SOMETHING = ["type", "properties", "items", "enum", "const", "anyOf", "oneOf", "allOf", "prefixItems"];
const withType = (schema: JsonObject): JsonObject =>
  schema["properties"] && schema["type"] === undefined ? { type: "object", ...schema } : schema;

const TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"];
const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
const SCHEMAS = words(
  "items contains not if then else propertyNames additionalProperties additionalItems unevaluatedProperties unevaluatedItems",
);
const LISTS = words("anyOf oneOf allOf prefixItems");
const MAPS = words("properties patternProperties dependentSchemas");
const NUMBERS = words("minimum maximum exclusiveMinimum exclusiveMaximum");
const COUNTS = words("minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains");

function readPart(place: Place, part: Json | undefined, at: string): Json {
  if (typeof part === "boolean") return part;
  if (!isObject(part)) throw new Unfit(`${at || "it"} is no schema`);
  if (place.depth > MOST_DEPTH) throw new Unfit(`it is nested more than ${MOST_DEPTH} deep`);
  if (place.parts.left-- <= 0) throw new Unfit(`it has more than ${MOST_PARTS} parts`);
  const { $ref: ref, ...own } = part as JsonObject;
  const kept = Object.entries(own).flatMap(([key, value]): [string, Json][] => {
    // What means something to nobody but the checker itself, and what only references need.
    if (/^[~$]/.test(key) || key === "definitions") return [];
    return [[key, readKeyword(place, key, value as Json, at === "" ? key : `${at}.${key}`)]];
  });
  const read = tolerant(Object.fromEntries(kept));
  if (ref === undefined) return read;
  const meant = readReference(place, ref, at);
  return Object.keys(read).length === 0 ? meant : { allOf: [meant], ...read };
}

function readKeyword(place: Place, key: string, value: Json, at: string): Json {
  const part = (one: Json | undefined, where = at): Json => readPart({ ...place, depth: place.depth + 1 }, one, where);
  const must = (fits: boolean, be: string): Json => {
    if (!fits) throw new Unfit(`${at} must be ${be}`);
    return value;
  };
  if (key === "items" && Array.isArray(value)) return value.map((one: Json, n) => part(one, `${at}.${n}`));
  if (SCHEMAS.has(key)) return part(value);
  if (LISTS.has(key)) {
    must(Array.isArray(value) && value.length > 0, "a list of schemas");
    return (value as Json[]).map((one, n) => part(one, `${at}.${n}`));
  }
  if (MAPS.has(key)) {
    must(isObject(value), "a map of schemas");
    if (key === "patternProperties") for (const name of Object.keys(value as JsonObject)) simplePattern(name, at);
    return Object.fromEntries(
      Object.entries(value as JsonObject).map(([name, one]) => [name, part(one as Json, `${at}.${name}`)]),
    );
  }
  if (key === "type") {
    const named = Array.isArray(value) ? value : [value];
    return must(named.length > 0 && named.every((one) => TYPES.includes(one as string)), `one of ${TYPES.join(", ")}`);
  }
  if (key === "required") return must(isTexts(value), "a list of names");
  if (key === "enum") return must(Array.isArray(value) && value.length > 0, "a list of values");
  if (key === "multipleOf") return must(typeof value === "number" && value > 0, "a number above 0");
  // Older schemas say with a flag that a bound is exclusive.
  if (NUMBERS.has(key))
    return must(typeof value === "number" || (key.startsWith("ex") && typeof value === "boolean"), "a number");
  if (COUNTS.has(key)) return must(Number.isSafeInteger(value) && (value as number) >= 0, "a whole number");
  if (key === "uniqueItems") return must(typeof value === "boolean", "true or false");
  if (key === "pattern") return must(typeof value === "string", "a text") && readPattern(value as string, at);
  if (key === "dependentRequired")
    return must(isObject(value) && Object.values(value).every(isTexts), "a map of lists");
  if (key === "dependencies") throw new Unfit(`${at} is old: use dependentRequired or dependentSchemas`);
  return value;
}

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === "string");

function readPattern(source: string, at: string): string {
  const read = linearPattern(source);
  if ("problem" in read) throw new Unfit(`${at} ${read.problem}`);
  return source;
}

/** Names of properties are matched natively: nothing in their pattern may be tried in more than one way. */
function simplePattern(source: string, at: string): void {
  readPattern(source, at);
  if (/[()]/.test(source) || (source.match(/[*+{]/g) ?? []).length > 1)
    throw new Unfit(`${at} has a pattern with groups or several repetitions: use simpler ones`);
}

function readReference(place: Place, ref: Json, at: string): Json {
  const where = at === "" ? "$ref" : `${at}.$ref`;
  if (typeof ref !== "string" || !/^#(\/|$)/.test(ref))
    throw new Unfit(`${where} must lead into the same schema, such as #/$defs/name`);
  if (place.within.includes(ref)) throw new Unfit(`${where} leads back to itself: recursive schemas are not supported`);
  const steps = ref.slice(1).split("/").slice(1);
  let found: Json | undefined = place.root;
  for (const step of steps) {
    const name = decode(step);
    found = isObject(found) && Object.hasOwn(found, name) ? (found as JsonObject)[name] : undefined;
  }
  if (found === undefined) throw new Unfit(`${where} leads nowhere: ${ref}`);
  return readPart({ ...place, depth: place.depth + 1, within: [...place.within, ref] }, found, at);
}

function decode(step: string): string {
  const plain = step.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

/** What other dialects say, in this one's words. */
function tolerant({ nullable, ...schema }: JsonObject): JsonObject {
  const out: Record<string, Json | undefined> = { ...schema };
  for (const [flag, bound] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    if (typeof out[flag] !== "boolean") continue;
    const exclusive = out[flag];
    delete out[flag];
    if (!exclusive || out[bound] === undefined) continue;
    out[flag] = out[bound];
    delete out[bound];
  }
  if (nullable === true && typeof out["type"] === "string") {
    out["type"] = [out["type"], "null"];
    if (Array.isArray(out["enum"]) && !out["enum"].includes(null)) out["enum"] = [...out["enum"], null];
  }
  return out as JsonObject;
}
