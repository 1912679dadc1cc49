// A line of source taken apart into code, comment and text in quotes, so that no rule takes one for another.
import { type Family, familyOf } from "./languages.ts";

export type CodeLine = {
  /** Without comments; what stands in quotes is replaced by spaces. */
  readonly code: string;
  readonly comment: string;
};

/** What a line may begin inside of. */
type Inside = { readonly until: string; readonly as: "comment" | "text" } | undefined;

const LINE_CHARS = 1_000;

/** In order, from a place that is neither in a comment nor in a text; files of no known language are all code. */
export function codeLines(path: string, lines: readonly string[]): readonly CodeLine[] {
  const family = familyOf(path);
  let inside: Inside;
  return lines.map((line) => {
    if (family === undefined) return { code: line, comment: "" };
    const taken = take(family, line.slice(0, LINE_CHARS), inside);
    inside = taken.inside;
    return taken;
  });
}

function take(family: Family, line: string, before: Inside): CodeLine & { inside: Inside } {
  const marks = marksOf[family];
  let [code, comment, inside, at]: [string, string, Inside, number] = ["", "", before, 0];
  // A diff may begin in the middle of a comment, whose lines begin with a star.
  if (marks.block && !inside && /^\s*\*(?:\s|\/|$)/.test(line)) return { code: "", comment: line, inside: undefined };
  while (at < line.length) {
    if (inside) {
      const end = endOf(line, at, inside.until);
      const part = line.slice(at, end < 0 ? undefined : end);
      if (inside.as === "comment") comment += part;
      else code += " ".repeat(part.length);
      if (end < 0) break;
      at = end;
      inside = undefined;
      continue;
    }
    const rest = line.slice(at, at + 3);
    if (marks.line.some((mark) => rest.startsWith(mark) && !isShellWord(family, line, at))) {
      comment += line.slice(at);
      break;
    }
    const opened = openedBy(marks, rest);
    if (opened) {
      inside = opened.inside;
      at += opened.length;
      code += " ".repeat(opened.length);
      continue;
    }
    const quote = quoteAt(family, line, at);
    if (quote > 0) {
      code += line[at]! + " ".repeat(Math.max(0, quote - at - 2)) + (quote - at > 1 ? line[quote - 1]! : "");
      at = quote;
      continue;
    }
    code += line[at];
    at++;
  }
  return { code, comment, inside };
}

type Marks = {
  readonly line: readonly string[];
  readonly block?: true;
  /** What opens a text of several lines, and closes it. */
  readonly long: readonly string[];
};

const slashes: Marks = { line: ["//"], block: true, long: [] };
const hash: Marks = { line: ["#"], long: [] };
const marksOf: Readonly<Record<Family, Marks>> = {
  js: { ...slashes, long: ["`"] },
  python: { ...hash, long: ['"""', "'''"] },
  go: { ...slashes, long: ["`"] },
  rust: slashes,
  java: { ...slashes, long: ['"""'] },
  c: slashes,
  ruby: hash,
  shell: hash,
  php: { ...slashes, line: ["//", "#"] },
};

function openedBy({ block, long }: Marks, rest: string): { inside: Inside; length: number } | undefined {
  if (block && rest.startsWith("/*")) return { inside: { until: "*/", as: "comment" }, length: 2 };
  const mark = long.find((one) => rest.startsWith(one));
  return mark === undefined ? undefined : { inside: { until: mark, as: "text" }, length: mark.length };
}

/** `$#`, `${#a}` and `a#b` are no comments of a shell. */
const isShellWord = (family: Family, line: string, at: number): boolean =>
  family === "shell" && at > 0 && !/\s/.test(line[at - 1]!);

/** Behind what closes it; -1 when it goes on in the next line. */
function endOf(line: string, from: number, until: string): number {
  for (let at = from; at < line.length; at++) {
    if (line[at] === "\\" && until !== "*/") at++;
    else if (line.startsWith(until, at)) return at + until.length;
  }
  return -1;
}

/** Where the quoted text or pattern that begins here ends; 0 when none begins. */
function quoteAt(family: Family, line: string, at: number): number {
  const char = line[at]!;
  const quotes = char === '"' || (char === "'" && family !== "rust");
  if (quotes) {
    const end = endOf(line, at + 1, char);
    return end < 0 ? line.length : end;
  }
  const pattern =
    family === "js" && char === "/" && /(?:^|[(,=:[!&|?{};]|\breturn|\btypeof)\s*$/.test(line.slice(0, at).slice(-40));
  return pattern ? Math.max(0, endOf(line, at + 1, "/")) : 0;
}
