// The report as Markdown: printed, and kept in docs/benchmarks.md.
import { cpus } from "node:os";
import type { Results, Verdict } from "./bounds.ts";
import { EARLY, LATE, LONG } from "./figures.ts";

export type Circumstances = {
  readonly rounds: { readonly short: number; readonly long: number };
  /** The load average before and after. */
  readonly load: readonly [number, number];
};

export function reportOf(
  results: ReadonlyMap<string, Results>,
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
To repeat: \`npm run bench\` (Linux; builds first; about two minutes). It ends with exit code 1 when a bound is missed.
Machines differ: only compare within one run.

${[`Node ${process.versions.node}`, `${cpus().length} CPUs`, new Date().toISOString().slice(0, 10)].join(", ")}.
${loadOf(load)}

## Bounds, against the \`fetch\` floor

${table(
  ["what", "floor", "sous", "ratio", "bound", ""],
  verdicts.map(({ what, floor, ours, ratio, bound, holds }) => [
    what,
    floor,
    ours,
    ratio.toFixed(2),
    `≤ ${bound}`,
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
`;
}

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
