// Reads a head: as YAML where it is YAML; else key by key, each alone, since public files are full of colons and
// quotes that YAML refuses.
import type { Problem } from "./definition.ts";
import { beginsField, fieldOf, GUARDED, type FieldName } from "./field-names.ts";
import type { Given } from "./given.ts";
import type { YamlReader } from "./yaml.ts";

export type Fields = {
  readonly given: readonly Given[];
  readonly problems: readonly Problem[];
  readonly recovered: boolean;
  /** Guarded keys that seem to stand where they cannot be read as keys. */
  readonly hidden: readonly { readonly field: FieldName; readonly line: number }[];
};

export function readFields(head: string, headLine: number, yaml: YamlReader): Fields {
  const strict = yaml.pairs(head);
  if ("pairs" in strict) {
    const given = strict.pairs.map((one) => ({ ...one, line: one.line + headLine }));
    const { kept, repeated } = firstOfEach(given);
    // A key we do not know that comes twice is prose: `user: …`, `assistant: …`, `user: …`.
    if (repeated.every(({ key }) => fieldOf(key)))
      return { given: kept, problems: repeated.map(twice), recovered: false, hidden: [] };
  }
  const why = "problem" in strict ? strict : { problem: "a key comes twice", line: 0 };
  return resync(head, headLine, yaml, why);
}

function firstOfEach(given: readonly Given[]) {
  const seen = new Set<string>();
  const [kept, repeated]: [Given[], Given[]] = [[], []];
  for (const one of given) {
    const name = fieldOf(one.key) ?? one.key;
    (seen.has(name) ? repeated : kept).push(one);
    seen.add(name);
  }
  return { kept, repeated };
}

const twice = ({ key, line }: Given): Problem => ({
  line,
  message: `${key} is given twice: the first counts`,
  severity: "warning",
});

function resync(head: string, headLine: number, yaml: YamlReader, why: { problem: string; line: number }): Fields {
  const blocks = blocksOf(dedent(head));
  const given = blocks.map((block) => readBlock(block, headLine, yaml));
  const message = `the head is not YAML (${why.problem}): it was read key by key`;
  return {
    given,
    problems: [{ line: headLine + why.line, message, severity: "warning" }],
    recovered: true,
    hidden: hiddenKeys(head, given).map(({ field, at }) => ({ field, line: headLine + at })),
  };
}

type Block = { readonly key: string; readonly lines: readonly string[]; readonly at: number };

/** A known key at the line's start that was not there before begins a field; every other line belongs to the last. */
function blocksOf(lines: readonly string[]): readonly Block[] {
  const blocks: { key: string; lines: string[]; at: number }[] = [];
  const seen = new Set<string>();
  for (const [at, line] of lines.entries()) {
    const key = /^["']?([A-Za-z][A-Za-z0-9_-]*)["']?[ \t]*:(?=\s|$)/.exec(line)?.[1];
    const name = key === undefined ? undefined : (fieldOf(key) ?? key);
    if (key !== undefined && name !== undefined && beginsField(key) && !seen.has(name)) {
      seen.add(name);
      blocks.push({ key, lines: [line], at });
    } else blocks.at(-1)?.lines.push(line);
  }
  return blocks;
}

function readBlock({ key, lines, at }: Block, headLine: number, yaml: YamlReader): Given {
  const raw = rawText(lines);
  const line = headLine + at;
  const alone = yaml.pairs(lines.join("\n"));
  const [pair, ...more] = "pairs" in alone ? alone.pairs : [];
  const field = fieldOf(key);
  const fits = pair && more.length === 0 && (field !== "description" || typeof pair.value === "string");
  return fits ? { ...pair, key, line } : { key, value: unquoted(raw), raw, plain: true, line };
}

function rawText(lines: readonly string[]): string {
  const [first = "", ...rest] = lines;
  const text = [first.slice(first.indexOf(":") + 1), ...rest].map((line) => line.trimEnd()).join("\n");
  return text.replace(/^\s*[|>][+-]?\n/, "").trim();
}

function unquoted(text: string): string {
  const quote = text[0];
  return text.length > 1 && (quote === '"' || quote === "'") && text.endsWith(quote) ? text.slice(1, -1) : text;
}

function dedent(head: string): readonly string[] {
  const lines = head.split("\n");
  const indents = lines.filter((line) => line.trim() !== "").map((line) => /^ */.exec(line)?.[0].length ?? 0);
  const common = Math.min(...(indents.length > 0 ? indents : [0]));
  return lines.map((line) => line.slice(common));
}

/** Lines like `Tools: Read` that were taken for prose although no such key was found: nobody can tell, so nobody may. */
export function hiddenKeys(text: string, given: readonly Given[]): { field: FieldName; at: number }[] {
  const found = new Set(given.map(({ key }) => fieldOf(key)));
  return text.split("\n").flatMap((line, at) => {
    const key = /^[\s>*-]*["'`]?([A-Za-z][A-Za-z_-]*)["'`]?[ \t]*:/.exec(line)?.[1];
    const field = key === undefined ? undefined : fieldOf(key);
    return field && field !== "hooks" && GUARDED.has(field) && !found.has(field) ? [{ field, at }] : [];
  });
}
