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
  return {
    firstRequestMs: of((sample) => sample.firstRequestMs),
    wallMs: of((sample) => sample.wallMs),
    cpuMs: of((sample) => sample.cpuMs),
    peakMb: of((sample) => sample.peakMb),
    earlyMs: of(early),
    lateMs: of(late),
    growth: of((sample) => late(sample) / early(sample)),
    firstBytes: of((sample) => sample.firstBytes),
    lastBytes: of((sample) => sample.lastBytes),
  };
}

const early = ({ turnMs }: Sample): number => median(turnMs.slice(10, 60));
const late = ({ turnMs }: Sample): number => median(turnMs.slice(150, LONG));

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? NaN) + (sorted[Math.floor(middle)] ?? NaN)) / 2;
}
