// Replaces secrets wherever they stand in text, before it is stored and before it is shown: those that the engine knows
// (its keys) by their value, others by their usual shape. Pure; text without a secret comes back as it is, without a copy.
import { maskShapes } from "./secret-shapes.ts";

export type Secret = { readonly name: string; readonly value: string };

export type Mask = {
  /** Later ones too: a command may hand out a new key at any time. Values too short to be secrets are left alone. */
  add(secret: Secret): void;
  text(value: string): string;
  /** Only the secrets that are known by value: for what a model is given to work with. */
  known(value: string): string;
  /** Every string in a JSON value, names of fields included; the same object when there is nothing to hide. */
  json<T>(value: T): T;
  /** How many characters at the end of a text may be the beginning of a secret whose rest is still to come. */
  held(value: string): number;
};

/** Whether a mask stands in a text: what was there is not known any more. */
export const hasMask = (text: string): boolean => MASKED.test(text);
/** What stands before, between and after the masks of a text; one piece when there is none. */
export const maskGaps = (text: string): readonly string[] => text.split(MASKED);
const MASKED = /\[masked [^\]\n"]{1,200}\]/;

/** Shorter values would hide ordinary words. */
export const SHORTEST_SECRET = 8;

/** `end` is looked for first: a search for a few characters needs no preparation, one for many does. */
type Form = { readonly text: string; readonly end: string; readonly shown: string };

export function createMask(secrets: readonly Secret[] = []): Mask {
  let forms: Form[] = [];
  let shortest = Infinity;
  const known = new Map<string, { readonly shown: string; escaped?: RegExp }>();

  function add({ name, value }: Secret): void {
    if (value.length < SHORTEST_SECRET || known.has(value)) return;
    const shown = `[masked ${name.replace(/[\]\n"\\]/g, "_")}]`;
    known.set(value, { shown });
    forms.push(...formsOf(value).map((form) => ({ text: form, end: form.slice(-6), shown })));
    // The longest first: one secret may be part of another.
    forms = forms.toSorted((a, b) => b.text.length - a.text.length);
    shortest = Math.min(shortest, value.length);
  }

  const text = (value: string): string => maskShapes(knownIn(value));

  function knownIn(value: string): string {
    if (value.length < shortest) return value;
    let out = value;
    for (const form of forms) if (out.includes(form.end)) out = out.replaceAll(form.text, () => form.shown);
    if (!out.includes("\\u00")) return out;
    for (const [secret, entry] of known)
      out = out.replace((entry.escaped ??= escapedPattern(secret)), () => entry.shown);
    return out;
  }

  function json<T>(value: T): T {
    return walk(value) as T;
  }

  function walk(value: unknown): unknown {
    if (typeof value === "string") return text(value);
    if (typeof value !== "object" || value === null) return value;
    return Array.isArray(value) ? walkList(value) : walkFields(value as Record<string, unknown>);
  }

  function walkList(list: readonly unknown[]): readonly unknown[] {
    let copy: unknown[] | undefined;
    for (let at = 0; at < list.length; at++) {
      const masked = walk(list[at]);
      if (masked !== list[at]) (copy ??= [...list])[at] = masked;
    }
    return copy ?? list;
  }

  function walkFields(fields: Record<string, unknown>): Record<string, unknown> {
    let copy: Map<string, unknown> | undefined;
    let at = 0;
    for (const name in fields) {
      const value = fields[name];
      const shown = text(name);
      const masked = walk(value);
      if (!copy && (shown !== name || masked !== value)) copy = new Map(Object.entries(fields).slice(0, at));
      copy?.set(shown, masked);
      at++;
    }
    return copy ? Object.fromEntries(copy) : fields;
  }

  function held(value: string): number {
    let most = 0;
    for (const form of forms) most = Math.max(most, overlap(value, form.text));
    return most;
  }

  secrets.forEach(add);
  return { add, text, known: knownIn, json, held };
}

/** As it is, as it stands in JSON (once and twice), with slashes escaped, and in an address. */
function formsOf(value: string): string[] {
  const once = JSON.stringify(value).slice(1, -1);
  const twice = JSON.stringify(once).slice(1, -1);
  return [...new Set([value, once, twice, once.replaceAll("/", "\\/"), encodeURIComponent(value.toWellFormed())])];
}

/** Any of its characters may be written as `\u00…`. */
function escapedPattern(secret: string): RegExp {
  const units = secret.split("").map((char) => {
    const code = char.charCodeAt(0).toString(16).padStart(4, "0");
    const digits = code.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
    return `(?:${char.replace(/[^A-Za-z0-9]/g, "\\$&")}|\\\\u${digits})`;
  });
  return new RegExp(units.join(""), "g");
}

/** The longest end of `value` that `form` begins with; never all of `form`. */
function overlap(value: string, form: string): number {
  const first = form[0] ?? "";
  for (
    let at = value.indexOf(first, Math.max(0, value.length - form.length + 1));
    at >= 0;
    at = value.indexOf(first, at + 1)
  )
    if (form.startsWith(value.slice(at))) return value.length - at;
  return 0;
}
