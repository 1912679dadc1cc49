// The head of most files: `key: words`, `key: "words"` or `key: [words]`, one a line. Means exactly what YAML means by
// it, without loading YAML.
import type { Given } from "./given.ts";

/** undefined where anything stands in it that YAML could take otherwise. */
export function plainFields(head: string, headLine: number): readonly Given[] | undefined {
  const given = new Map<string, Given>();
  for (const [at, text] of head.split("\n").entries()) {
    if (/^ *$/.test(text)) continue;
    const found = /^([A-Za-z][A-Za-z0-9_-]*): +(\S.*?) *$/.exec(text);
    const [, key, raw] = found ?? [];
    if (key === undefined || raw === undefined || given.has(key)) return undefined;
    const value = plainValue(raw);
    if (value === undefined) return undefined;
    given.set(key, { key, value, raw, plain: !/^["']/.test(raw), line: headLine + at });
  }
  return [...given.values()];
}

/** Letters first, and nothing after them that ends or continues a plain scalar: `: `, ` #`, a colon at the end. */
const WORDS = /^[A-Za-z](?:[^\s:#\p{C}]|:(?=[^\s])|(?<=\S)#| +(?=[^\s#]))*$/u;
const SPECIAL = /^(null|true|false|nan|inf)$/i;
const QUOTED = /^(?:"([^"\\\p{C}]*)"|'([^'\p{C}]*)')$/u;
const LIST = /^\[ *([A-Za-z]\w*(?:, *[A-Za-z]\w*)*) *\]$/;

function plainValue(raw: string): string | number | boolean | string[] | undefined {
  const [, double, single] = QUOTED.exec(raw) ?? [];
  if (double !== undefined || single !== undefined) return double ?? single;
  const items = LIST.exec(raw)?.[1]?.split(/, */);
  if (items) return items.some((item) => SPECIAL.test(item)) ? undefined : items;
  if (raw === "true" || raw === "false") return raw === "true";
  if (/^[1-9]\d{0,8}$/.test(raw)) return Number(raw);
  return WORDS.test(raw) && !SPECIAL.test(raw) ? raw : undefined;
}
