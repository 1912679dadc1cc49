// Variables in prompts: `{{name}}` becomes a value. Nothing is run, and a value is never looked at again. Text that only
// looks like a template stays as it is: code, `{{{…}}}`, `${{…}}`, filters, names in capitals, dotted names of others.
import { nearest } from "../std/nearest.ts";
import type { Json } from "./json.ts";

export type Variables = {
  /** A function is called at most once, and only where the variable is used. */
  readonly values: Readonly<Record<string, string | (() => string)>>;
  /** As `{{metadata.key}}`, and by their own names where no value has them. */
  readonly metadata: Readonly<Record<string, Json>>;
};

export type Rendered = { readonly text: string } | { readonly problem: string };
export type UnknownVariable = { readonly line: number; readonly name: string; readonly message: string };

/** A small file can ask for much: what all values together may add. */
export const MOST_ADDED_CHARS = 200_000;

/** `unknown`: whether a variable that nobody knows is a problem, or stays as the text that it is. */
export function renderTemplate(
  text: string,
  { values, metadata }: Variables,
  unknown: "problem" | "text" = "problem",
): Rendered {
  const places = placesIn(text, metadata);
  if (places.length === 0) return { text };
  const known = new Map<string, string>();
  const valueOf = (name: string): string | undefined => {
    const kept = known.get(name);
    if (kept !== undefined) return kept;
    const own = Object.hasOwn(values, name) ? values[name] : undefined;
    const value = typeof own === "function" ? own() : (own ?? fromMetadata(name, metadata));
    if (value !== undefined) known.set(name, value);
    return value;
  };
  let [out, from, room] = ["", 0, MOST_ADDED_CHARS];
  for (const { start, end, name, escaped } of places) {
    const value = escaped ? text.slice(start + 1, end) : valueOf(name);
    if (value === undefined && unknown === "text") continue;
    if (value === undefined) return { problem: unknownName(name, Object.keys(values), metadata) };
    room -= value.length;
    if (room < 0)
      return { problem: `its variables make the prompt longer by more than ${MOST_ADDED_CHARS} characters` };
    out += text.slice(from, start) + value;
    from = end;
  }
  return { text: out + text.slice(from) };
}

/** The variables of a prompt that neither `names` nor its metadata know, each with its line in the text. */
export function unknownVariables(
  text: string,
  names: readonly string[],
  metadata: Variables["metadata"],
): readonly UnknownVariable[] {
  return placesIn(text, metadata)
    .filter(({ escaped, name }) => !escaped && !names.includes(name) && fromMetadata(name, metadata) === undefined)
    .map(({ name, line }) => ({ line, name, message: unknownName(name, names, metadata) }));
}

function unknownName(name: string, names: readonly string[], metadata: Variables["metadata"]): string {
  const known = [...names, ...Object.keys(metadata)];
  const close = nearest(name, known);
  const hint = close ? `did you mean {{${close}}}?` : `known are ${names.join(", ")}, metadata`;
  return `its prompt has the unknown variable {{${name}}}; ${hint} (in backticks, or as \\{{${name}}}, it is left as it is)`;
}

/** Whether a prompt shows this variable. */
export const usesVariable = (text: string, name: string): boolean =>
  placesIn(text, {}).some((place) => !place.escaped && place.name === name);

type Place = {
  readonly name: string;
  readonly line: number;
  readonly escaped: boolean;
  readonly start: number;
  readonly end: number;
};

const VARIABLE = /(?<![{$])(\\?)\{\{[ \t]{0,20}([A-Za-z][\w-]{0,99}(?:\.[\w-]{1,100}){0,20})[ \t]{0,20}\}\}(?!\})/g;

/** Line by line, so that code is left out as a reader of Markdown sees it. */
function placesIn(text: string, metadata: Variables["metadata"]): Place[] {
  if (!text.includes("{{")) return [];
  const found: Place[] = [];
  let fence = "";
  let offset = 0;
  for (const [at, line] of text.split("\n").entries()) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
    if (fence === "" && mark !== "") fence = mark;
    else if (fence !== "" && closes(line, fence)) fence = "";
    else if (fence === "" && line.includes("{{")) found.push(...inLine(line, at + 1, offset, metadata));
    offset += line.length + 1;
  }
  return found;
}

const closes = (line: string, fence: string): boolean => {
  const bare = line.trim();
  return bare.startsWith(fence) && bare === (fence[0] ?? "").repeat(bare.length);
};

function inLine(line: string, number: number, offset: number, metadata: Variables["metadata"]): Place[] {
  const prose = line.replace(/`[^`]*`/g, (code) => " ".repeat(code.length));
  return [...prose.matchAll(VARIABLE)].flatMap(({ 0: whole, 1: escape = "", 2: name = "", index }): Place[] => {
    if (!isOurs(name, metadata)) return [];
    const start = offset + index;
    return [{ name, line: number, escaped: escape !== "", start, end: start + whole.length }];
  });
}

/** Ours begin in lower case and have no dot but that of `metadata.key`. */
function isOurs(name: string, metadata: Variables["metadata"]): boolean {
  if (name.includes(".")) return name.startsWith("metadata.");
  return /^[a-z]/.test(name) || Object.hasOwn(metadata, name);
}

function fromMetadata(name: string, metadata: Variables["metadata"]): string | undefined {
  if (name === "metadata") return JSON.stringify(metadata);
  const [head = "", ...rest] = name.split(".");
  const keys = head === "metadata" ? rest : [head];
  let at: Json = metadata;
  for (const key of keys) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Readonly<Record<string, Json>>)[key] ?? null;
  }
  if (typeof at === "string") return at;
  return at === null ? "" : typeof at === "object" ? JSON.stringify(at) : String(at);
}
