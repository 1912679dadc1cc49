// Makes a field's type out of what people write for it.
import { type Json, type JsonObject, isObject } from "../json.ts";
import type { Given } from "./given.ts";

/** A value; nothing, with a word why; or a refusal, where nothing would mean more rights. */
export type Reading<T> = { readonly value?: T; readonly warning?: string; readonly refusal?: string };

export const ignored = <T>(given: Given, wanted: string): Reading<T> => ({
  warning: `${given.key} is left out: ${shown(given)} is not ${wanted}`,
});

export function asText(given: Given): Reading<string> {
  const { value, raw, plain } = given;
  if (value === null) return {};
  // People write `\n` in one long line; in double quotes YAML has made it a line's end already.
  if (typeof value === "string") return { value: (plain ? value.replaceAll("\\n", "\n") : value).trim() };
  if (Array.isArray(value) && value.every((one) => typeof one !== "object"))
    return { value: value.join(", "), warning: `${given.key} is a list where a text is meant` };
  // `007` and `1.10` as they were written.
  return { value: raw.trim(), ...(typeof value === "object" && { warning: `${given.key} is taken as it is written` }) };
}

export function asFlag(given: Given): Reading<boolean> {
  const { value } = given;
  if (typeof value === "boolean") return { value };
  if (value === null) return {};
  const word = String(value).trim().toLowerCase();
  if (["true", "yes", "on", "1", "y"].includes(word)) return { value: true };
  if (["false", "no", "off", "0", "n"].includes(word)) return { value: false };
  return ignored(given, "yes or no");
}

export function asNumber(given: Given, fits: (value: number) => boolean, wanted: string): Reading<number> {
  const { value } = given;
  if (value === null) return {};
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && fits(number) ? { value: number } : ignored(given, wanted);
}

export function asWord<const W extends string>(given: Given, words: readonly W[]): Reading<W> {
  if (given.value === null || given.value === "") return {};
  const found = words.find((word) => word.toLowerCase() === String(given.value).trim().toLowerCase());
  return found ? { value: found } : ignored(given, `one of ${words.join(", ")}`);
}

export function asNames(given: Given): Reading<readonly string[]> {
  const { value } = given;
  if (value === null) return {};
  const list = typeof value === "string" ? namesIn(value) : value;
  if (!Array.isArray(list) || !list.every((one) => typeof one === "string" || typeof one === "number"))
    return ignored(given, "a list of names");
  return { value: list.map((one) => String(one).trim()).filter((one) => one !== "") };
}

function namesIn(text: string): unknown {
  if (text.trim().startsWith("[")) {
    try {
      return JSON.parse(text);
    } catch {
      return text
        .trim()
        .replace(/^\[|\]$/g, "")
        .split(",");
    }
  }
  return text.split(text.includes(",") ? "," : /\s+/);
}

export function asObject(given: Given): Reading<JsonObject> {
  let { value } = given;
  if (value === null) return {};
  if (typeof value === "string" && value.trim().startsWith("{")) {
    try {
      value = JSON.parse(value);
    } catch {
      return ignored(given, "JSON");
    }
  }
  return isObject(value) ? { value: jsonOf(value) as JsonObject } : ignored(given, "a map");
}

/** YAML can hold dates and other values that JSON cannot. */
export function jsonOf(value: unknown): Json {
  return (JSON.parse(JSON.stringify(value ?? null) ?? "null") ?? null) as Json;
}

function shown({ raw }: Given): string {
  const line = raw.replace(/\s+/g, " ").trim();
  return `"${line.length <= 60 ? line : `${line.slice(0, 59)}…`}"`;
}
