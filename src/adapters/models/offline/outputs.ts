// What tools said, as data. Tolerant: a line that does not fit is left out, notes of a tool in brackets too.
import type { Result } from "./conversation.ts";

export type FoundLine = { readonly path: string; readonly line: number; readonly text: string };

const LINE_CHARS = 1_000;

/** `path:line:text`. */
export function foundLines(results: readonly Result[], folder: string | undefined): readonly FoundLine[] {
  const found = new Map<string, FoundLine>();
  for (const result of results)
    for (const line of linesOf(result)) {
      const match = /^([^:\n]{1,400}):([0-9]{1,9}):(.*)$/.exec(line);
      if (!match) continue;
      const one = { path: shortPath(match[1]!, folder), line: Number(match[2]), text: match[3]! };
      found.set(`${one.path}:${one.line}`, one);
    }
  return [...found.values()].sort((a, b) => compare(a.path, b.path) || a.line - b.line);
}

/** `path:count`. */
export function foundCounts(result: Result | undefined, folder: string | undefined): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of linesOf(result)) {
    const match = /^([^:\n]{1,400}):([0-9]{1,9})$/.exec(line);
    if (match) counts.set(shortPath(match[1]!, folder), Number(match[2]));
  }
  return counts;
}

/** A path a line, sorted: tools order them by time of change, and the same question must get the same answer. */
export function foundPaths(results: readonly Result[], folder: string | undefined): readonly string[] {
  const paths = results.flatMap((result) => (result.tool === "Glob" || result.tool === "Bash" ? linesOf(result) : []));
  const fit = paths.filter((line) => !/^No (files|matches)|^Found \d|^$/.test(line));
  return [...new Set(fit.map((line) => shortPath(line.trim(), folder)))].sort(compare);
}

/** Names of files in a listing of one folder, whatever it draws before them. */
export function foundNames(result: Result | undefined): readonly string[] {
  return linesOf(result)
    .flatMap((line) => /(?:^|[\s─])([\w.][\w.+-]{0,100})$/.exec(line.trimEnd().slice(-200))?.[1] ?? [])
    .toSorted(compare);
}

export type ReadLines = {
  readonly from: number;
  /** One for each number from `from` on; a line that was not shown is empty here. */
  readonly lines: readonly string[];
  /** What was really shown, both ends included. */
  readonly shown: readonly Range[];
  readonly more: boolean;
};
export type Range = { readonly from: number; readonly to: number };

/** The numbered lines of a Read, without what it says about them. */
export function readLines(result: Result): ReadLines {
  const lines: string[] = [];
  const shown: { from: number; to: number }[] = [];
  let from = 1;
  let more = false;
  for (const raw of result.text.split("\n")) {
    const match = /^ {0,8}([0-9]{1,9})(?:\t|→)(.*)$/.exec(raw.slice(0, 2_100));
    if (!match) more ||= /more lines follow|\[…|lines omitted|truncated/.test(raw.slice(0, 200));
    if (!match) continue;
    const number = Number(match[1]);
    if (lines.length === 0) from = number;
    if (number < from + lines.length || number > from + MOST_LINES) continue;
    // A cut in the middle keeps later lines at their own numbers.
    while (lines.length < number - from) lines.push("");
    lines.push(match[2]!);
    const last = shown.at(-1);
    if (last?.to === number - 1) last.to = number;
    else shown.push({ from: number, to: number });
  }
  return { from, lines, shown, more };
}

const MOST_LINES = 20_000;

/** Several reads of one file as one. */
export function readTogether(results: readonly Result[]): ReadLines {
  const parts = results
    .filter((result) => !result.failed)
    .map(readLines)
    .sort((a, b) => a.from - b.from);
  const from = parts[0]?.from ?? 1;
  const lines: string[] = [];
  for (const part of parts)
    for (const range of part.shown)
      for (let at = range.from; at <= range.to; at++) {
        while (lines.length < at - from) lines.push("");
        lines[at - from] = part.lines[at - part.from]!;
      }
  return { from, lines, shown: joined(parts.flatMap((part) => part.shown)), more: parts.at(-1)?.more ?? false };
}

function joined(ranges: readonly Range[]): readonly Range[] {
  const all: { from: number; to: number }[] = [];
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last && range.from <= last.to + 1) last.to = Math.max(last.to, range.to);
    else all.push({ ...range });
  }
  return all;
}

export function pathOf(result: Result, folder: string | undefined): string {
  return shortPath(String(result.input["file_path"] ?? ""), folder);
}

/** Whether a tool said that it showed only a part: a line of its own in brackets, in the middle or near the end. */
export const wasCut = (results: readonly Result[]): boolean =>
  results.some(
    ({ text }) =>
      /^\[… [0-9,. \u202f]{1,20} bytes left out …\]$/m.test(text) ||
      /^\[[^\]\n]{0,200}(?:more|truncated|left out|stopped)/m.test(text.slice(-600)),
  );

export const cutNote = (results: readonly Result[]): string =>
  wasCut(results) ? " The list was cut: there are more." : "";

export function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function linesOf(result: Result | undefined): string[] {
  if (!result || (result.failed && result.tool !== "Bash") || / was refused:/.test(result.text.slice(0, 200)))
    return [];
  return result.text
    .split("\n")
    .flatMap((line) => (line.startsWith("[") ? [] : [line.replace(/\r$/, "").slice(0, LINE_CHARS)]));
}

function shortPath(path: string, folder: string | undefined): string {
  if (folder && path.startsWith(`${folder}/`)) return path.slice(folder.length + 1);
  return path.startsWith("./") ? path.slice(2) : path;
}
