// Reading what came over a wire without trusting its shape.
import { isObject } from "../../core/json.ts";
import { ModelFault } from "../../core/model-fault.ts";
import { faultOf, parse, type Site } from "./faults.ts";
import { oneLine } from "./one-line.ts";

export const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** A token count, or `before` where none was told. */
export const count = (value: unknown, before = 0): number =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : before;

export const list = <T>(values: readonly (T | undefined)[]): T[] => values.filter((value) => value !== undefined);

export const objects = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter((one) => isObject(one)) : [];

export const object = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

/** One event's data. What is not a JSON object cannot be acted on. */
export function json(data: string, site: Site): Record<string, unknown> {
  const value = parse(data);
  if (isObject(value)) return value;
  const got = `${site.provider}: an event of the stream is not a JSON object: ${oneLine(data, 80)}`;
  throw new ModelFault(faultOf("incomplete", got, site));
}
