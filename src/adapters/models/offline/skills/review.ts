// "Review the diff": mechanical findings with their places. Where the diff is refused, what a search can still see.
import type { Conversation, GivenDiff } from "../conversation.ts";
import { parseDiff } from "../diff.ts";
import { type Finding, findingsIn, findingsOf, sorted } from "../findings.ts";
import type { ReviewTarget } from "../intent.ts";
import { countCalls, fileCalls, lineCalls, shell, wholeCalls } from "../lookups.ts";
import { foundCounts, foundLines, foundPaths, pathOf, readTogether, wasCut } from "../outputs.ts";
import { linesShown, listed, place, plural } from "../say.ts";
import type { Skill } from "../skill.ts";

type Target = { readonly target: ReviewTarget };

const MOST = 40;
const MOST_LINES = 2_400;
const honest = (found: readonly Finding[]): string =>
  `${found.length === 0 ? "I looked only for known patterns." : "These are mechanical findings: patterns, not understanding."} Whether it is right needs a reader.`;

export const review: Skill<Target> = {
  stages: [
    {
      name: "diff",
      calls: ({ tools }, { target }) => {
        if (target.of === "given") return [];
        return target.of === "file" ? locateCalls(tools, target.path) : diffCommands(target).flatMap(shell);
      },
    },
    {
      name: "read",
      calls: (talk, { target }) => {
        if (target.of !== "file") return [];
        const file = fileFor(talk, target.path);
        return wholeCalls(file, lengthOf(talk, file), MOST_LINES);
      },
    },
    {
      name: "scan",
      calls: (talk, { target }) =>
        target.of === "file" || diffOf(talk, target) !== undefined
          ? []
          : scans.flatMap((pattern) => lineCalls(talk.tools, { pattern, most: 60 })),
    },
  ],
  answer: (talk, { target }) => {
    if (target.of === "file") return fileReview(talk, target.path);
    const given = diffOf(talk, target);
    return given === undefined ? scanned(talk) : reviewed(talk, given, target);
  },
};

/** The names that fit, and how long each file is. */
const locateCalls = (tools: Conversation["tools"], path: string) => [
  ...fileCalls(tools, `**/${baseOf(path)}`),
  ...(tools.has("Grep") ? countCalls(tools, { pattern: "^", glob: `**/${baseOf(path)}` }) : []),
];

const lengthOf = (talk: Conversation, file: string): number | undefined =>
  foundCounts(talk.results("diff")[1], talk.folder).get(file);

/** Git's own words first, so that a rule for `git diff` fits. The ref was checked to be a plain name. */
function diffCommands(target: ReviewTarget): readonly string[] {
  if (target.of === "staged") return ["git diff --cached"];
  if (target.of === "since") return [`git diff ${target.ref}`];
  return ["git diff HEAD", "git status --short"];
}

function diffOf(talk: Conversation, target: ReviewTarget): GivenDiff | undefined {
  if (target.of === "given") return talk.diff;
  const [diff] = talk.results("diff");
  return diff && !diff.failed ? { text: diff.text, cut: wasCut([diff]) } : undefined;
}

function reviewed(talk: Conversation, given: GivenDiff, target: ReviewTarget): string {
  const diff = parseDiff(given.text);
  const untracked = (talk.results("diff")[1]?.text ?? "")
    .split("\n")
    .flatMap((line) => /^\?\? (.{1,300})$/.exec(line)?.[1] ?? []);
  const notSeen = listed(
    "New files that git does not track are not in the diff:",
    untracked.slice(0, 10),
    untracked.length - 10,
  );
  const what = nameOf(target);
  if (diff.files.length === 0)
    return [`There are no ${what} to tracked files.`, notSeen].filter((part) => part !== "").join("\n\n");
  const added = diff.files.reduce((sum, file) => sum + file.added, 0);
  const removed = diff.files.reduce((sum, file) => sum + file.removed, 0);
  const found = sorted([...findingsIn(diff.lines), ...findingsOf(diff)]);
  const cut = given.cut ? " (the diff was cut: not all of it was seen)" : "";
  const files = diff.files.map((file) => `${file.path} +${file.added} -${file.removed}`);
  return [
    `**Review of ${what}**: ${plural(diff.files.length, "file")}, +${added} -${removed}${cut}. ${verdict(found)}`,
    report(found),
    listed("Changed:", files.slice(0, 20), files.length - 20),
    notSeen,
    honest(found),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function nameOf(target: ReviewTarget): string {
  if (target.of === "given") return "the given changes";
  if (target.of === "since") return `changes since ${target.ref}`;
  return target.of === "staged" ? "staged changes" : "uncommitted changes";
}

const verdict = (found: readonly Finding[]): string => {
  if (found.length === 0) return "No mechanical findings.";
  const counts = (["high", "medium", "low"] as const).map(
    (severity) => [severity, found.filter((one) => one.severity === severity).length] as const,
  );
  return `${plural(found.length, "finding")}: ${counts
    .filter(([, count]) => count > 0)
    .map(([severity, count]) => `${count} ${severity}`)
    .join(", ")}.`;
};

const report = (found: readonly Finding[]): string =>
  listed(
    "Findings:",
    found
      .slice(0, MOST)
      .map((one) => `${one.severity}: ${one.line === undefined ? one.path : place(one.path, one.line)} ${one.message}`),
    found.length - MOST,
  );

function fileReview(talk: Conversation, path: string): string {
  const results = talk.results("read");
  const [first] = results;
  if (!first || first.failed)
    return `I could not read ${path}: ${first?.text.slice(0, 300) ?? "I had no tool for it"}.`;
  const { from, lines, shown, more } = readTogether(results);
  const file = pathOf(first, talk.folder);
  const isShown = (line: number): boolean => shown.some((range) => range.from <= line && line <= range.to);
  const found = findingsIn(
    lines.map((text, at) => ({ path: file, line: from + at, text })).filter(({ line }) => isShown(line)),
  );
  return [`**Review of ${file}**: ${linesShown(shown, more)}. ${verdict(found)}`, report(found), honest(found)]
    .filter((part) => part !== "")
    .join("\n\n");
}

function fileFor(talk: Conversation, path: string): string {
  const found = foundPaths(talk.results("diff").slice(0, 1), talk.folder);
  return found.find((one) => one === path) ?? found.find((one) => one.endsWith(`/${path}`)) ?? path;
}

/** One search each for what would be worst. */
const scans = [
  "^(<<<<<<<|>>>>>>>) ",
  "\\b(describe|it|test)\\.(only|skip)\\(",
  "\\b(debugger;|console\\.(log|debug)\\(|breakpoint\\(\\)|pdb\\.set_trace)",
];

function scanned(talk: Conversation): string {
  const lines = foundLines(talk.results("scan"), talk.folder);
  const found = findingsIn(lines).filter((one) => one.severity !== "low");
  const why = talk.results("diff")[0]?.text.slice(0, 300).trim();
  const missing = talk.tools.has("Bash")
    ? `I could not get the diff${why ? ` (${why.split("\n")[0]})` : ""}`
    : "I have no shell here to ask git for the diff";
  if (talk.results("scan").length === 0) return `${missing}, and no tool to search with.`;
  return [
    `${missing}, so I searched the whole folder for what a review would flag. ${verdict(found)}`,
    report(found),
    honest(found),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

const baseOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
