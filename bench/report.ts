// The report as Markdown: printed, and kept in docs/benchmarks.md.
import { cpus } from "node:os";
import type { Results, Verdict } from "./bounds.ts";
import { type ChildrenFigures, type Rounds, CHAIN, FAN, WIDE } from "./children.ts";
import { EARLY, type Figures, LATE, LONG } from "./figures.ts";
import { COMMANDS, RULES, type RightsFigures, STARTS } from "./rights.ts";

export type Circumstances = {
  readonly rounds: Rounds & { readonly short: number; readonly long: number };
  /** The load average before and after. */
  readonly load: readonly [number, number];
};

export type Measured = {
  readonly results: ReadonlyMap<string, Results>;
  readonly children: ChildrenFigures;
  readonly rights: RightsFigures;
};

export function reportOf(
  { results, children, rights }: Measured,
  verdicts: readonly Verdict[],
  { rounds, load }: Circumstances,
): string {
  return `# Benchmarks

<!-- Written by \`npm run bench\`: run it again instead of editing. -->

What Sous itself costs, next to a bare script that makes the same requests and reads the same files.
A scripted model without think time answers over HTTP from a process of its own: every reply but the last calls \`Read\`
on one of 20 small files. The floors (\`bench/floor\`) send the whole conversation with \`fetch\` or \`node:http\`, keep no
record and ask nobody. Sous is the built command with a warm compile cache, in a temporary home, and writes its journal.
Everything is measured from outside: the time from the start of the process to the arrival of its first request, user
and system time as the kernel counts it, the peak of resident memory, and the time from each request to the next.
The contestants take turns within every round, so that a busy machine slows all of them; figures are medians.
To repeat: \`npm run bench\` (Linux; builds first; about four minutes). It ends with exit code 1 when a bound is missed.
Machines differ: only compare within one run.

${[`Node ${process.versions.node}`, `${cpus().length} CPUs`, new Date().toISOString().slice(0, 10)].join(", ")}.
${loadOf(load)}

## Bounds

${table(
  ["what", "floor", "sous", "ratio", "bound", ""],
  verdicts.map(({ what, floor, ours, ratio, bound, holds }) => [
    what,
    floor,
    ours,
    ratio,
    bound,
    holds ? "PASS" : "FAIL",
  ]),
)}

## One turn, median of ${rounds.short} runs

${table(
  ["", "first request, ms", "whole run, ms", "CPU, ms", "peak memory, MB", "bytes of the request"],
  [...results].map(([name, { short }]) => [
    name,
    short.firstRequestMs.toFixed(0),
    short.wallMs.toFixed(0),
    short.cpuMs.toFixed(0),
    short.peakMb.toFixed(0),
    short.firstBytes.toFixed(0),
  ]),
)}

## ${LONG} turns, median of ${rounds.long} runs

Early is the median of turns ${EARLY.join(" to ")}, late that of turns ${LATE.join(" to ")}. In the column "fastest" every turn counts
as in its fastest run: a turn takes so little that other work on the machine decides about its median.

${table(
  [
    "",
    "CPU, ms",
    "CPU per turn, ms",
    "whole run, ms",
    "early, ms",
    "late, ms",
    "late/early",
    "fastest",
    "peak memory, MB",
    "bytes of the last request",
  ],
  [...results].map(([name, { long }]) => [
    name,
    long.cpuMs.toFixed(0),
    (long.cpuMs / LONG).toFixed(2),
    long.wallMs.toFixed(0),
    long.earlyMs.toFixed(2),
    long.lateMs.toFixed(2),
    long.growth.toFixed(2),
    long.fastestGrowth.toFixed(2),
    long.peakMb.toFixed(0),
    long.lastBytes.toFixed(0),
  ]),
)}

${childrenOf(children, rounds)}

${rightsOf(rights)}

${PEERS}
`;
}

function rightsOf({ readMs, commandMs, commandMostMs, start }: RightsFigures): string {
  return `## Rights

Judging a call to \`Read\`, its real path included, against ${RULES} rules takes ${readMs.toFixed(2)} ms (median). Judging a command, once the
parser is loaded, takes ${commandMs.toFixed(2)} ms (median) and up to ${commandMostMs.toFixed(1)} ms for 99 of 100
(each as in its fastest of three rounds), over ${COMMANDS} commands of a seeded grammar.
From the start of \`true\` in a shell to its end (median of ${STARTS}): ${start.bareMs.toFixed(1)} ms bare, ${start.ownedMs.toFixed(1)} ms in a namespace of its own as every
command is run, ${start.unaskedMs.toFixed(1)} ms where nobody was asked, ${start.confinedMs.toFixed(1)} ms in a sandbox without network.`;
}

function childrenOf({ fan, wide, kbPerChild, spawnMs, bytes }: ChildrenFigures, rounds: Rounds): string {
  const row = (name: string, figures: Figures): string[] => [
    name,
    figures.wallMs.toFixed(0),
    figures.cpuMs.toFixed(0),
    figures.peakMb.toFixed(0),
  ];
  const wideName = `sous, ${WIDE.children} children`;
  return `## A lead and ${FAN.children} children, median of ${rounds.fan} runs

The lead spawns ${FAN.children} children in one reply; each reads ${FAN.reads} files, one a turn, and reports. The floors hold the same
conversations at the same time, with first requests as long as ours. The line with ${WIDE.children} children (median of ${rounds.wide} runs)
tells what one more child adds: ${kbPerChild.toFixed(0)} kB of peak memory. From the end of the reply that spawns to the arrival of the
child's first request, its records on the disk included, it takes ${spawnMs.toFixed(1)} ms (median of ${rounds.chain * CHAIN.children} spawns, one after the other).

${table(["", "whole run, ms", "CPU, ms", "peak memory, MB"], [...[...fan].map(([name, figures]) => row(name, figures)), row(wideName, wide)])}

First requests: a lead with 40 agents in its project ${bytes.lead} bytes, a general-purpose child ${bytes.general}, a read-only child (Explore) ${bytes.readOnly}.`;
}

/** Measured once on another machine, so only the floor's line ties the two tables together. */
const PEERS = `## Others, for orientation

The same work (a lead, 64 children, five reads each, a scripted model without think time), measured in November 2026 on
another 2-core machine, each system with its own prompts, headless, approvals and telemetry off. Times of two machines cannot be
compared; the floor was run beside them, so the last column can, roughly.

${table(
  [
    "system",
    "children done",
    "wall, s",
    "CPU, s",
    "memory, MB",
    "first request of a child, bytes",
    "wall, against its floor",
  ],
  [
    ["floor: fetch", "64", "0.6", "0.7", "101", "358", "1.0"],
    ["AI SDK 7 (a library, no record)", "64", "1.1", "1.4", "147", "442", "1.8"],
    ["OpenAI Agents JS (a library)", "64", "2.1", "2.5", "192", "450", "3.5"],
    ["pi with tintinweb/pi-subagents", "64", "3.9", "4.8", "291", "9721", "6.5"],
    ["Gemini CLI 0.61", "64", "5.4", "6.3", "596", "46660", "9"],
    ["Claude Agent SDK 0.3.325", "64", "11.9", "15.1", "540", "47848", "20"],
    ["OpenCode 1.18", "64", "25.1", "31.5", "1030", "26880", "42"],
    ["Qwen Code 0.24", "64", "30.1", "27.3", "540", "62253", "50"],
    ["Claude Code 2.1.325", "20 (its limit)", "5.5", "6.9", "341", "47847", ""],
    ["Codex CLI 0.166", "6 (its limit)", "1.9", "3.0", "343", "29755", ""],
  ],
)}

Their floor sent short requests; ours here sends requests as long as ours, which makes it slower and our ratio kinder.`;

function loadOf([before, after]: readonly [number, number]): string {
  // The bench itself keeps about one CPU busy.
  const busy = Math.max(before, after) > cpus().length + 1;
  const said = `Load average ${before.toFixed(1)} before and ${after.toFixed(1)} after`;
  return busy ? `${said}: the machine was busy with other work, so times are long and uneven.` : `${said}.`;
}

/** Columns as wide as their widest cell, as the formatter wants them; all but the first are set to the right. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, at) => Math.max(4, ...[head, ...rows].map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const padded = (row: readonly string[]): string =>
    line(row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))));
  const rule = line(widths.map((width, at) => (at === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)));
  return [padded(head), rule, ...rows.map(padded)].join("\n");
}
