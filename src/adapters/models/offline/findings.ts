// Mechanical findings: what a pattern can see in lines of code. Says nothing of whether the change is right.
import { type CodeLine, codeLines } from "./code-line.ts";
import type { Diff, SourceLine } from "./diff.ts";
import { familyOf } from "./languages.ts";
import { compare } from "./outputs.ts";
import { isTestPath } from "./places.ts";

export type Severity = "high" | "medium" | "low";
export type Finding = {
  readonly severity: Severity;
  readonly path: string;
  readonly line?: number;
  readonly message: string;
};

type Seen = CodeLine & { readonly text: string; readonly path: string };
type Check = { readonly severity: Severity; readonly message: string; sees(line: Seen): boolean };

const LONG_LINE = 160;
const LARGE = 80;
const LINE_CHARS = 1_000;

/** Lines of files in order; those around a change are only read to know what the others are part of. */
export function findingsIn(lines: readonly SourceLine[]): readonly Finding[] {
  return sorted(runsOf(lines).flatMap(findingsInRun));
}

function findingsInRun(run: readonly SourceLine[]): readonly Finding[] {
  const path = run[0]?.path ?? "";
  const read = codeLines(
    path,
    run.map(({ text }) => text),
  );
  return run.flatMap(({ line, text, around }, at) => {
    if (around) return [];
    const seen: Seen = { ...read[at]!, text: text.slice(0, LINE_CHARS), path };
    const dropped = dropsError(seen.code, read[at + 1]?.code ?? "") && read[at + 1]?.comment === "";
    const found = checks.filter((check) => check.sees(seen));
    return [...found, ...(dropped ? [EMPTY_CATCH] : [])].map(({ severity, message }) => ({
      severity,
      path,
      line,
      message,
    }));
  });
}

/** Lines that follow each other in one file. */
function runsOf(lines: readonly SourceLine[]): readonly (readonly SourceLine[])[] {
  const runs: SourceLine[][] = [];
  for (const line of lines) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last?.path === line.path && last.line + 1 === line.line) run.push(line);
    else runs.push([line]);
  }
  return runs;
}

const dropsError = (code: string, next: string): boolean =>
  (/\bcatch\b[^{}]{0,80}\{\s*$/.test(code) && /^\s*\}/.test(next.slice(0, 200))) ||
  (/^\s*except\b.{0,80}:\s*$/.test(code) && /^\s*pass\s*$/.test(next.slice(0, 200)));

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

const EMPTY_CATCH = { severity: "medium", message: "an error is caught and dropped" } as const;
const isCode = (path: string): boolean => familyOf(path) !== undefined;

const DEBUGGING = new RegExp(
  [
    String.raw`\bdebugger\s*;?\s*$`,
    String.raw`\bconsole\.(?:log|debug|trace)\s*\(`,
    String.raw`\bbreakpoint\(\)|\bpdb\.set_trace\(|\bdbg!\(|\bbinding\.pry\b|\bvar_dump\(`,
  ].join("|"),
);
const SUPPRESSED_LINT = new RegExp(
  [
    String.raw`\b(?:es|ox|ts|style)lint-disable|\bbiome-ignore\b|\bprettier-ignore\b|\bjshint\s+ignore`,
    String.raw`#\s*noqa\b|\bpylint:\s*disable|\brubocop:disable|\bnolint\b|\bNOSONAR\b|\bshellcheck disable=`,
  ].join("|"),
);

const checks: readonly Check[] = [
  {
    severity: "high",
    message: "a conflict marker",
    sees: ({ text }) => /^(?:<{7}|>{7}|\|{7})(?: |$)/.test(text),
  },
  {
    severity: "high",
    message: "looks like a secret: take it out and replace the key",
    sees: ({ text }) =>
      /\b(?:AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{30,}|sk-(?:ant-|proj-)?[A-Za-z0-9_-]{20,}|xox[abprs]-[A-Za-z0-9-]{10,}|AIza[0-9A-Za-z_-]{30,})\b/.test(
        text,
      ) ||
      /-----BEGIN (?:[A-Z]{1,12} ){0,2}PRIVATE KEY-----/.test(text) ||
      /(?:password|passwd|secret|api_?key|access_?token)["']?\s*[:=]\s*["'][^"'\s${}<>]{8,}["']/i.test(text),
  },
  {
    severity: "high",
    message: "a focused test: the others are not run",
    sees: ({ code, path }) =>
      isCode(path) && /\b(?:describe|it|test|suite|context)\.only\s*\(|^\s*(?:fit|fdescribe)\s*\(/.test(code),
  },
  {
    severity: "medium",
    message: "a test is switched off",
    sees: ({ code, path }) =>
      isCode(path) &&
      /\b(?:describe|it|test|suite)\.skip\s*\(|^\s*(?:xit|xdescribe|xtest)\s*\(|@(?:pytest\.mark\.skip|unittest\.skip|Ignore|Disabled)\b|\bt\.Skip\(|^\s*#\[ignore\]/.test(
        code,
      ),
  },
  {
    severity: "medium",
    message: "looks like a debugging aid that was left in",
    sees: ({ code, text, path }) =>
      isCode(path) &&
      (DEBUGGING.test(code) || (/^\s*print\(/.test(code) && /^\s*print\(\s*["']?(?:debug|here|xxx|>>>)/i.test(text))),
  },
  {
    ...EMPTY_CATCH,
    sees: ({ code, comment }) =>
      comment === "" && /\bcatch\b[^{}]{0,80}\{\s*\}|^\s*except\b.{0,80}:\s*pass\b/.test(code),
  },
  {
    severity: "low",
    message: "a type check is switched off",
    sees: ({ code, comment, path }) =>
      isCode(path) && (/@ts-(?:ignore|nocheck)|#\s*type:\s*ignore/.test(comment) || /\bas any\b/.test(code)),
  },
  {
    severity: "low",
    message: "a lint rule is suppressed",
    sees: ({ code, comment, path }) =>
      isCode(path) && (SUPPRESSED_LINT.test(comment) || /^\s*#!?\[allow\(|@SuppressWarnings\b/.test(code)),
  },
  {
    severity: "low",
    message: "a TODO is added",
    sees: ({ text, comment, path }) => /\b(?:TODO|FIXME|XXX|HACK)\b/.test(isCode(path) ? comment : text),
  },
  {
    severity: "low",
    message: `a line of more than ${LONG_LINE} characters`,
    sees: ({ text, path }) => isCode(path) && text.length > LONG_LINE,
  },
  {
    severity: "low",
    message: "spaces at the end of the line",
    sees: ({ text, path }) => isCode(path) && /\S[ \t]+$/.test(text.slice(-40)),
  },
];
