// What a definition's tool list means, in every form that people write. A list that cannot be read is said to be
// unreadable; it never becomes "all tools".
import { isObject } from "../json.ts";
import type { Rule } from "../rules.ts";

export type ToolList =
  | { readonly is: "inherit" }
  | {
      readonly is: "list";
      readonly rules: readonly Rule[];
      readonly denied: readonly Rule[];
      readonly dropped?: string;
    }
  /** `rules`: those entries that can be read, for whoever says all that is wrong with it. */
  | { readonly is: "unreadable"; readonly why: string; readonly rules?: readonly Rule[] };

const EVERYTHING = /^(\*|all|all tools|inherit)$/i;
const unreadable = (why: string): Extract<ToolList, { is: "unreadable" }> => ({ is: "unreadable", why });

export function readToolList(value: unknown): ToolList {
  if (value === null || value === undefined) return { is: "inherit" };
  if (typeof value === "string") return fromText(value.trim());
  if (Array.isArray(value)) return fromItems(value);
  if (isObject(value)) return fromMap(value);
  return unreadable(`${JSON.stringify(value)} is no list of tools`);
}

function fromText(text: string): ToolList {
  if (EVERYTHING.test(text)) return { is: "inherit" };
  if (text === "") return unreadable("it is empty: leave the key out to inherit, or write [] for no tools");
  if (!/^[[{]/.test(text)) return fromItems(splitOutside(text, ","));
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === "object" && parsed !== null) return readToolList(parsed);
  } catch {
    // A list in brackets without quotes.
    if (/^\[[^[\]]*\]$/.test(text)) return fromItems(splitOutside(text.slice(1, -1), ","));
  }
  return unreadable(`"${short(text)}" is no list of tools`);
}

function fromItems(items: readonly unknown[]): ToolList {
  if (!items.every((item) => typeof item === "string")) return unreadable("not every item of it is a name");
  const texts = rejoined(items.map((item) => item.trim()));
  const names = texts.filter((text) => text !== "").flatMap((text) => (isOne(text) ? [text] : splitOutside(text, " ")));
  if (names.length === 0)
    return items.length === 0 ? { is: "list", rules: [], denied: [] } : unreadable("there is no name in it");
  const [only] = names;
  if (names.length === 1 && only !== undefined && EVERYTHING.test(only)) return { is: "inherit" };
  const entries = names.filter((one) => one !== "*").map((name) => ({ name, rule: readEntry(name) }));
  const rules = entries.flatMap(({ rule }) => rule ?? []);
  const bad = entries.filter(({ rule }) => !rule).map(({ name }) => `"${short(name)}"`);
  if (bad.length > 0)
    return {
      ...unreadable(`${bad.join(", ")} ${bad.length > 1 ? "are no names of tools" : "is no name of a tool"}`),
      rules,
    };
  if (rules.length === 0) return { is: "inherit" };
  const dropped = names.includes("*") ? "`*` beside names of tools is left out" : undefined;
  return { is: "list", rules, denied: [], ...(dropped && { dropped }) };
}

const isOne = (text: string): boolean => !/\s/.test(text) || EVERYTHING.test(text) || text.includes("(");

/** `Read`, `Bash(git log:*)`, `Agent(a, b)`, `mcp__server__*`, `search/codebase` */
export function readEntry(text: string): Rule | undefined {
  const found = /^([\p{L}_][\p{L}\p{N}\p{M}_.\-/:]*\*?)\s*(?:\(([^]*)\))?$/u.exec(text.trim());
  const [, tool, spec] = found ?? [];
  if (tool === undefined) return undefined;
  return spec === undefined || spec.trim() === "" || spec.trim() === "*" ? { tool } : { tool, spec: spec.trim() };
}

/** OpenCode's `{read: true, write: false}` and a profile's `{Read: {enabled: true}}`. */
function fromMap(map: Record<string, unknown>): ToolList {
  const [rules, denied]: [Rule[], Rule[]] = [[], []];
  let everything: boolean | undefined;
  for (const [name, wish] of Object.entries(map)) {
    const allowed = isAllowed(name, wish);
    const rule = name === "*" ? { tool: "*" } : readEntry(name);
    if (allowed === undefined || !rule) return unreadable(`"${short(name)}" has no clear yes or no`);
    if (name === "*") everything = allowed;
    else (allowed ? rules : denied).push(rule);
  }
  if (everything === true || (everything === undefined && rules.length === 0 && denied.length > 0))
    return denied.length === 0 ? { is: "inherit" } : { is: "list", rules: [{ tool: "*" }], denied };
  return { is: "list", rules, denied };
}

const READS = /^(read|ls|list|glob|grep)$/i;

function isAllowed(name: string, wish: unknown): boolean | undefined {
  if (typeof wish === "boolean") return wish;
  if (wish === "allow" || wish === "ask") return true;
  if (wish === "deny") return false;
  if (!isObject(wish) || typeof wish["enabled"] !== "boolean") return undefined;
  // Only tools that cannot do anything else are known to keep to reading.
  return wish["enabled"] && (wish["mode"] !== "read" || READS.test(name));
}

/** Splits where no parenthesis is open. */
function splitOutside(text: string, at: "," | " "): string[] {
  const parts = [""];
  let depth = 0;
  for (const char of text) {
    if (char === "(") depth++;
    if (char === ")") depth--;
    if (depth === 0 && (at === "," ? char === "," : /\s/.test(char))) parts.push("");
    else parts[parts.length - 1] += char;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/** A flow list splits `Bash(a, b)` at its comma: put together what belongs together. */
function rejoined(items: readonly string[]): string[] {
  const whole: string[] = [];
  let open = "";
  for (const item of items) {
    open = open === "" ? item : `${open}, ${item}`;
    if (count(open, "(") > count(open, ")")) continue;
    whole.push(open);
    open = "";
  }
  return open === "" ? whole : [...whole, open];
}

const count = (text: string, char: string): number => text.split(char).length - 1;
const short = (text: string): string => (text.length <= 60 ? text : `${text.slice(0, 59)}…`).replace(/\s+/g, " ");
