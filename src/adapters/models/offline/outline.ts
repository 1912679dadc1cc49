// What a file is, from its own text: what its first comment says, what it imports, what it defines.
import { type Definition, definitionsIn, docstring, withoutMarks } from "./definitions.ts";

export type Outline = {
  readonly purpose: string;
  readonly headings: readonly string[];
  readonly imports: readonly string[];
  readonly definitions: readonly Definition[];
};

const PURPOSE_CHARS = 700;

export function outlineOf(path: string, lines: readonly string[], first = 1): Outline {
  const isText = /\.(md|markdown|rst|txt|adoc)$/i.test(path) || /(^|\/)(readme|license|changelog)$/i.test(path);
  return {
    purpose: (isText ? firstParagraph(lines) : leadingComment(lines)).slice(0, PURPOSE_CHARS),
    headings: isText ? lines.filter((line) => /^#{1,3} \S/.test(line)).map((line) => line.slice(0, 120)) : [],
    imports: isText ? [] : importsIn(lines),
    definitions: definitionsIn(path, lines, first).filter(
      (one) => one.container === undefined || one.kind === "method",
    ),
  };
}

/** The comment or docstring that a file begins with; a licence is no purpose. */
function leadingComment(lines: readonly string[]): string {
  const doc = docstring(
    lines.filter((line) => !/^#|^\s*$/.test(line)),
    0,
  );
  if (doc !== "") return doc;
  const words: string[] = [];
  for (const line of lines.slice(0, 60)) {
    const marked = /^\s*(?:\/\/|\/\*|\*|#(?!!|include|define|if|\[)|--\s|;;|<!--)/.test(line.slice(0, 400));
    if (marked)
      words.push(
        withoutMarks(line.slice(0, 400))
          .replace(/^<!--|-->$/g, "")
          .trim(),
      );
    else if (words.length > 0 && !isLicence(words)) break;
    else if (line.trim() !== "" && !/^#!|^["']use strict|^package |^<\?php/.test(line)) break;
    else if (isLicence(words)) words.length = 0;
  }
  return isLicence(words) ? "" : words.join(" ").replace(/\s+/g, " ").trim();
}

const isLicence = (words: readonly string[]): boolean =>
  /copyright|licen[sc]e|SPDX/i.test(words.join(" ").slice(0, 600));

/** The first lines that are prose: no heading, badge, list or markup. */
export function firstParagraph(lines: readonly string[]): string {
  const words: string[] = [];
  for (const line of lines.slice(0, 120)) {
    const prose = line.trim() !== "" && !/^\s*(?:#|\[!\[|!\[|<|[-*=_]{3,}|```|\||>|[-*] )/.test(line.slice(0, 200));
    if (prose) words.push(line.trim());
    else if (words.length > 0) break;
  }
  return words.join(" ");
}

const IMPORTS: readonly RegExp[] = [
  /^\s*(?:import|export)\b[^"']{0,300}["']([^"']{1,200})["']/,
  /^\s*\}\s*from\s+["']([^"']{1,200})["']/,
  /\brequire\(\s*["']([^"']{1,200})["']\s*\)/,
  /^\s*from\s+([\w.]{1,200})\s+import\b/,
  /^\s*import\s+([\w.*]{1,200})\s*(?:;|,|as\b|$)/,
  /^\s*use\s+([\w:{}, *]{1,200});/,
  /^\s*#\s*include\s*[<"]([^>"]{1,200})[>"]/,
  /^\s*require(?:_relative)?\s+["']([^"']{1,200})["']/,
  /^\s+(?:\w+\s+)?"([\w./-]{1,200})"$/,
];

function importsIn(lines: readonly string[]): readonly string[] {
  const found = lines.slice(0, 300).flatMap((line) => {
    for (const pattern of IMPORTS) {
      const target = pattern.exec(line.slice(0, 400))?.[1];
      if (target !== undefined) return [target];
    }
    return [];
  });
  return [...new Set(found)];
}
