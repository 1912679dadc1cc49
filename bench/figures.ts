// What the samples of one contestant come to: medians.
import type { Sample } from "./measure.ts";

export const LONG = 200;

export type Figures = {
  readonly firstRequestMs: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMb: number;
  /** A turn near the beginning, when the code is warm; and near the end, when the history is long. */
  readonly earlyMs: number;
  readonly lateMs: number;
  readonly growth: number;
  readonly firstBytes: number;
  readonly lastBytes: number;
};

export function figuresOf(samples: readonly Sample[]): Figures {
  const of = (value: (sample: Sample) => number): number => median(samples.map(value));
  // Over the turns of all runs: what else the machine does in half a second would decide about a single run.
  const turn = (from: number, to: number): number =>
    median(samples.flatMap(({ turnMs }) => turnMs.slice(from - 1, to)));
  const [earlyMs, lateMs] = [turn(11, 60), turn(151, LONG)];
  return {
    firstRequestMs: of((sample) => sample.firstRequestMs),
    wallMs: of((sample) => sample.wallMs),
    cpuMs: of((sample) => sample.cpuMs),
    peakMb: of((sample) => sample.peakMb),
    earlyMs,
    lateMs,
    growth: lateMs / earlyMs,
    firstBytes: of((sample) => sample.firstBytes),
    lastBytes: of((sample) => sample.lastBytes),
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? NaN) + (sorted[Math.floor(middle)] ?? NaN)) / 2;
}
