// Mechanical findings: what a pattern can see in added lines. Says nothing of whether the change is right.
import type { AddedLine, Diff } from "./diff.ts";
import { familyOf } from "./languages.ts";
import { compare } from "./outputs.ts";
import { isTestPath } from "./rank.ts";

export type Severity = "high" | "medium" | "low";
export type Finding = {
  readonly severity: Severity;
  readonly path: string;
  readonly line?: number;
  readonly message: string;
};

type Check = { readonly severity: Severity; readonly message: string; sees(text: string, path: string): boolean };

const LONG_LINE = 160;
const LARGE = 80;

export function findingsIn(lines: readonly AddedLine[]): readonly Finding[] {
  const found = lines.flatMap(({ path, line, text }, at) => {
    const short = text.slice(0, 1_000);
    const seen = checks
      .filter((check) => check.sees(short, path))
      .map(({ severity, message }) => ({ severity, path, line, message }));
    const next = lines[at + 1];
    const empty =
      /\bcatch\b[^{}]{0,80}\{\s*$/.test(short) && next?.path === path && /^\s*\}/.test(next.text.slice(0, 200));
    const passed =
      /^\s*except\b.{0,80}:\s*$/.test(short) && next?.path === path && /^\s*pass\s*$/.test(next.text.slice(0, 200));
    return empty || passed ? [...seen, { severity: "medium" as const, path, line, message: EMPTY_CATCH }] : seen;
  });
  return sorted(found);
}

/** What only the whole change shows. */
export function findingsOf({ files }: Diff): readonly Finding[] {
  const code = files.filter((file) => familyOf(file.path) !== undefined);
  const product = code.filter((file) => !isTestPath(file.path));
  const grown = product.reduce((sum, file) => sum + file.added, 0);
  const untested = grown >= LARGE && !code.some((file) => isTestPath(file.path) && file.added > 0);
  const largest = product.toSorted((a, b) => b.added - a.added || compare(a.path, b.path))[0];
  if (!untested || !largest) return [];
  return [
    { severity: "medium", path: largest.path, message: `${grown} lines of code added in all, and no line of a test` },
  ];
}

const rank: Readonly<Record<Severity, number>> = { high: 0, medium: 1, low: 2 };

export const sorted = (found: readonly Finding[]): readonly Finding[] =>
  found.toSorted(
    (a, b) => rank[a.severity] - rank[b.severity] || compare(a.path, b.path) || (a.line ?? 0) - (b.line ?? 0),
  );

const EMPTY_CATCH = "an error is caught and dropped";
const isCode = (path: string): boolean => familyOf(path) !== undefined;

const checks: readonly Check[] = [
  {
    severity: "high",
    message: "a conflict marker",
    sees: (text) => /^(?:<{7}|>{7}|\|{7})(?: |$)/.test(text),
  },
  {
    severity: "high",
    message: "looks like a secret: take it out and replace the key",
    sees: (text) =>
      /\b(?:AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{30,}|sk-(?:ant-|proj-)?[A-Za-z0-9_-]{20,}|xox[abprs]-[A-Za-z0-9-]{10,}|AIza[0-9A-Za-z_-]{30,})\b/.test(
        text,
      ) ||
      /-----BEGIN (?:[A-Z]{1,12} ){0,2}PRIVATE KEY-----/.test(text) ||
      /(?:password|passwd|secret|api_?key|access_?token)["']?\s*[:=]\s*["'][^"'\s${}<>]{8,}["']/i.test(text),
  },
  {
    severity: "high",
    message: "a focused test: the others are not run",
    sees: (text, path) =>
      isCode(path) && /\b(?:describe|it|test|suite|context)\.only\s*\(|^\s*(?:fit|fdescribe)\s*\(/.test(text),
  },
  {
    severity: "medium",
    message: "a test is switched off",
    sees: (text, path) =>
      isCode(path) &&
      /\b(?:describe|it|test|suite)\.skip\s*\(|^\s*(?:xit|xdescribe|xtest)\s*\(|@(?:pytest\.mark\.skip|unittest\.skip|Ignore|Disabled)\b|\bt\.Skip\(|^\s*#\[ignore\]/.test(
        text,
      ),
  },
  {
    severity: "medium",
    message: "a debugging aid was left in",
    sees: (text, path) =>
      isCode(path) &&
      !/^\s*(?:\/\/|#|\*)/.test(text) &&
      /\bdebugger\s*;|\bconsole\.(?:log|debug|trace)\s*\(|\bbreakpoint\(\)|\bpdb\.set_trace\(|\bdbg!\(|\bbinding\.pry\b|\bvar_dump\(|^\s*print\(\s*["']?(?:debug|here|xxx|>>>)/i.test(
        text,
      ),
  },
  {
    severity: "medium",
    message: EMPTY_CATCH,
    sees: (text) => /\bcatch\b[^{}]{0,80}\{\s*\}|^\s*except\b.{0,80}:\s*pass\b/.test(text),
  },
  {
    severity: "low",
    message: "a type check is switched off",
    sees: (text, path) =>
      isCode(path) && /@ts-(?:ignore|nocheck)|#\s*type:\s*ignore|\bas any\b|eslint-disable|noqa\b/.test(text),
  },
  { severity: "low", message: "a TODO is added", sees: (text) => /\b(?:TODO|FIXME|XXX|HACK)\b/.test(text) },
  {
    severity: "low",
    message: `a line of more than ${LONG_LINE} characters`,
    sees: (text, path) => isCode(path) && text.length > LONG_LINE,
  },
  {
    severity: "low",
    message: "spaces at the end of the line",
    sees: (text, path) => isCode(path) && /\S[ \t]+$/.test(text.slice(-40)),
  },
];
