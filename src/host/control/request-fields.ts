// Reads the fields of a request; what is wrong with one is a sentence for whoever sent it.
import type { JsonObject } from "../../core/json.ts";

export class BadRequest extends Error {
  override readonly name = "BadRequest";
}

export function textIn(request: JsonObject, field: string): string {
  const value = request[field];
  if (typeof value !== "string" || value.trim() === "") throw new BadRequest(`${field} must be text that is not empty`);
  return value;
}

/** None when it is left out. */
export function textsIn(request: JsonObject, field: string): readonly string[] {
  const value = request[field] ?? [];
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value;
  throw new BadRequest(`${field} must be a list of texts`);
}

/** Above 0, or undefined when it is left out. */
export function numberIn(request: JsonObject, field: string): number | undefined {
  const value = request[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "number" || !Number.isFinite(value) || value <= 0)
    throw new BadRequest(`${field} must be a number above 0`);
  return value;
}

export function choiceIn<const Choice extends string>(
  request: JsonObject,
  field: string,
  choices: readonly Choice[],
): Choice {
  const found = choices.find((choice) => choice === request[field]);
  if (found === undefined) throw new BadRequest(`${field} must be one of ${choices.join(", ")}`);
  return found;
}
