// Reads JSON profiles: one in a file, or several by name as in a configuration or `--agents`.
import { type Json, isObject } from "../json.ts";
import { stemOf } from "./agent-names.ts";
import type { DefinitionSource } from "./definition.ts";
import type { Draft, FileReading } from "./draft.ts";
import type { Given } from "./given.ts";
import { readDraft } from "./read-draft.ts";

/** A file with one profile. */
export function readProfile(text: string, source: DefinitionSource): FileReading {
  const parsed = parseJson(text);
  if ("problem" in parsed)
    return { skipped: "broken", problems: [{ line: parsed.line, message: parsed.problem, severity: "error" }] };
  const draft = profileOf(stemOf(source.file ?? "agent"), parsed.value, source, text);
  if (draft) return { draft };
  return { skipped: "broken", problems: [{ line: 1, message: "it is not a JSON object", severity: "error" }] };
}

/** Profiles by name. One that is no object refuses by name, so that nothing lower stands in for it. */
export function readProfiles(map: Readonly<Record<string, unknown>>, source: DefinitionSource): Draft[] {
  return Object.entries(map).map(([name, value]) => profileOf(name, value, source) ?? refusedProfile(name, source));
}

function profileOf(name: string, value: unknown, source: DefinitionSource, text?: string): Draft | undefined {
  if (!isObject(value)) return undefined;
  const given = Object.entries(value).map(([key, one]): Given => ({
    key,
    value: one ?? null,
    raw: typeof one === "string" ? one : JSON.stringify(one),
    plain: false,
    line: text === undefined ? 0 : lineOfKey(text, key),
  }));
  const draft = readDraft(given, name, source);
  // What `--agents` gives with a prompt of its own is a whole definition; without one it is laid over the one there is.
  const own = source.kind === "cli-json" || source.kind === "program";
  const form = own && draft.fields.prompt !== undefined ? "whole" : "patch";
  return { ...draft, form };
}

function refusedProfile(name: string, source: DefinitionSource): Draft {
  const reason = "it is not a JSON object";
  const draft = readDraft([], name, source);
  return { ...draft, form: "patch", refusals: [{ field: "prompt", reason }] };
}

type Parsed = { readonly value: Json } | { readonly problem: string; readonly line: number };

export function parseJson(text: string): Parsed {
  const clean = text.replace(/^\ufeff/, "");
  try {
    return { value: JSON.parse(clean) as Json };
  } catch (error) {
    const message = (error as Error).message;
    const at = Number(/position (\d+)/.exec(message)?.[1] ?? 0);
    return { problem: `it is not JSON: ${message.split("\n")[0]}`, line: clean.slice(0, at).split("\n").length };
  }
}

function lineOfKey(text: string, key: string): number {
  const at = text.indexOf(JSON.stringify(key));
  return at < 0 ? 1 : text.slice(0, at).split("\n").length;
}
