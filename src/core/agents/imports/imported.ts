// What an importer makes of another tool's agent: our Markdown, and what could not be carried over.
import type { Json } from "../../json.ts";
import { cleanName } from "../agent-names.ts";

export type Imported =
  { readonly name: string; readonly markdown: string; readonly told: readonly string[] } | { readonly skipped: string };

/** Keys in the order in which they are written; undefined ones are left out. */
export type Head = { readonly [key: string]: Json | undefined };

export function imported(name: string, head: Head, prompt: string, told: readonly string[]): Imported {
  const clean = cleanName(name);
  if (clean === "") return { skipped: "it has no name" };
  return { name: clean, markdown: toMarkdown({ name: clean, ...head }, prompt), told };
}

/** JSON is YAML, so every value is written as JSON: nothing in it can be taken for a key. */
function toMarkdown(head: Head, prompt: string): string {
  const lines = Object.entries(head).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}: ${isPlain(value) ? value : JSON.stringify(value)}`],
  );
  return `---\n${lines.join("\n")}\n---\n\n${prompt.trim()}\n`;
}

const isPlain = (value: Json): value is string =>
  typeof value === "string" &&
  /^[a-z][a-z0-9-]*$/i.test(value) &&
  !/^(true|false|null|yes|no|on|off|nan|inf)$/i.test(value);

export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;

export const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;

/** Tells what is given and has no counterpart here. */
export function untold(given: Readonly<Record<string, unknown>>, carried: readonly string[]): string[] {
  return Object.keys(given)
    .filter((key) => !carried.includes(key))
    .map((key) => `${key} has no counterpart and is left out`);
}
