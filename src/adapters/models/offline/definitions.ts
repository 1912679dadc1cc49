// The definitions of a source text with their extents, found by patterns and indentation, for any common language.
import { type Kind, definitionIn, familyOf } from "./languages.ts";

export type Definition = {
  readonly path: string;
  readonly kind: Kind;
  readonly name: string;
  /** The class or the like around it. */
  readonly container: string | undefined;
  /** Line numbers in the file, both included. */
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
  /** The comment right above or the docstring right below, without its marks. */
  readonly comment: string;
  readonly exported: boolean;
  /** Its end was seen. */
  readonly closed: boolean;
};

const LONGEST = 600;
const COMMENT_LINES = 30;

/** `first` is the number of the first of `lines` in the file; `more` follow after the last. */
export function definitionsIn(path: string, lines: readonly string[], first = 1, more = false): readonly Definition[] {
  const family = familyOf(path);
  if (!family) return [];
  const found: Definition[] = [];
  const around: { name: string; last: number; kind: Kind }[] = [];
  lines.forEach((line, at) => {
    while (around.length > 0 && around.at(-1)!.last < at) around.pop();
    const defined = definitionIn(family, line, lines[at + 1] ?? "");
    if (!defined) return;
    const last = lastLine(lines, at);
    const outer = around.findLast((one) => one.kind !== "constant");
    const insideBody = outer !== undefined && outer.kind !== "class" && outer.kind !== "type";
    // What a function keeps for itself is found, but constants inside bodies are noise.
    if (insideBody && defined.kind === "constant") return;
    if (family === "js" && outer?.kind === "type") return;
    found.push({
      path,
      ...defined,
      container: outer?.name ?? receiverOf(line),
      from: first + at,
      to: first + last,
      lines: lines.slice(at, last + 1),
      comment: commentAbove(lines, at) || docstring(lines, at + 1),
      exported: isExported(line, defined.name, path),
      closed: !more || last < lines.length - 1,
    });
    around.push({ name: defined.name, last, kind: defined.kind });
  });
  return found;
}

/** `TreeLog.append`, as people say it. */
export const fullName = ({ container, name }: Definition): string => (container ? `${container}.${name}` : name);

/** The signature: from the name up to the body, on one line. */
export function signatureOf({ lines }: Definition): string {
  const head: string[] = [];
  for (const line of lines.slice(0, 12)) {
    head.push(line.trim());
    if (/[{:]\s*$|=>|=\s*$|;\s*$|\bdo\s*$/.test(line) && balanced(head.join(" "))) break;
  }
  return head
    .join(" ")
    .replace(/\s*\{\s*$/, "")
    .slice(0, 300);
}

function balanced(text: string): boolean {
  let open = 0;
  for (const char of text) {
    if (char === "(") open++;
    if (char === ")") open--;
  }
  return open <= 0;
}

/** Indentation tells the extent in every language that people format. */
function lastLine(lines: readonly string[], at: number): number {
  const indent = indentOf(lines[at]!);
  let last = at;
  for (let next = at + 1; next < lines.length && next - at < LONGEST; next++) {
    const line = lines[next]!;
    const trimmed = line.trim();
    if (trimmed === "") continue;
    const deeper = indentOf(line) > indent;
    if (!deeper && !/^[)\]}{]|^end\b|^(?:fi|done|esac)\b/.test(trimmed)) break;
    if (!deeper && indentOf(line) < indent) break;
    last = next;
    if (!deeper && /^(?:\}|\]|end\b|\)\s*;?\s*$)/.test(trimmed) && !/[{(]\s*$/.test(trimmed)) break;
  }
  return last;
}

function indentOf(line: string): number {
  let width = 0;
  for (const char of line) {
    if (char !== " " && char !== "\t") break;
    width += char === "\t" ? 4 : 1;
  }
  return width;
}

/** `func (t *Tree) Add(` belongs to Tree; `void Tree::add(` too. */
function receiverOf(line: string): string | undefined {
  return /^func\s+\(\s*\w*\s*\*?(\w+)/.exec(line)?.[1] ?? /\b(\w+)::~?\w+\s*\(/.exec(line.slice(0, 300))?.[1];
}

function isExported(line: string, name: string, path: string): boolean {
  if (path.endsWith(".go")) return /^[A-Z]/.test(name);
  if (path.endsWith(".py")) return !name.startsWith("_") && !/^\s/.test(line);
  return /^\s*(?:export|pub|public|module\.exports|exports\.)\b/.test(line);
}

const COMMENT = /^\s*(?:\/\/+[/!]?|\/\*+|\*+\/?|#+!?|--|;;+|@\w)\s?/;

export function commentAbove(lines: readonly string[], at: number): string {
  const words: string[] = [];
  for (let above = at - 1; above >= 0 && at - above <= COMMENT_LINES; above--) {
    const line = lines[above]!.slice(0, 400);
    if (!COMMENT.test(line) || /^\s*#\s*(?:include|define|if|endif)/.test(line)) break;
    words.unshift(withoutMarks(line));
  }
  return words.join(" ").trim();
}

export const withoutMarks = (line: string): string =>
  line
    .replace(COMMENT, "")
    .replace(/\*+\/\s*$/, "")
    .trim();

/** The first line of a docstring that begins within the next lines. */
export function docstring(lines: readonly string[], at: number): string {
  for (const line of lines.slice(at, at + 6)) {
    const found = /^\s*[rRuU]?("""|''')(.{1,300}?)(?:\1.*)?$/.exec(line.slice(0, 400));
    if (found) return found[2]!.trim();
    if (/:\s*$|^\s*$|,\s*$/.test(line)) continue;
    break;
  }
  return "";
}
