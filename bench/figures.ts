// What the samples of one contestant come to: medians.
import type { Sample } from "./measure.ts";

export const LONG = 200;
export const EARLY = [11, 60] as const;
export const LATE = [151, LONG] as const;

export type Figures = {
  readonly firstRequestMs: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMb: number;
  /** A turn near the beginning, when the code is warm; and near the end, when the history is long. */
  readonly earlyMs: number;
  readonly lateMs: number;
  readonly growth: number;
  /** The same with each turn as in its fastest run: what is left of it when the machine was busy. */
  readonly fastestGrowth: number;
  readonly firstBytes: number;
  readonly lastBytes: number;
};

export function figuresOf(samples: readonly Sample[]): Figures {
  const of = (value: (sample: Sample) => number): number => median(samples.map(value));
  const turn = ([from, to]: readonly [number, number]): number =>
    of(({ turnMs }) => median(turnMs.slice(from - 1, to)));
  const [earlyMs, lateMs] = [turn(EARLY), turn(LATE)];
  const fastest = fastestTurns(samples);
  return {
    firstRequestMs: of((sample) => sample.firstRequestMs),
    wallMs: of((sample) => sample.wallMs),
    cpuMs: of((sample) => sample.cpuMs),
    peakMb: of((sample) => sample.peakMb),
    earlyMs,
    lateMs,
    growth: lateMs / earlyMs,
    fastestGrowth: median(fastest.slice(LATE[0] - 1, LATE[1])) / median(fastest.slice(EARLY[0] - 1, EARLY[1])),
    firstBytes: of((sample) => sample.firstBytes),
    lastBytes: of((sample) => sample.lastBytes),
  };
}

function fastestTurns(samples: readonly Sample[]): number[] {
  const turns = samples[0]?.turnMs ?? [];
  return turns.map((_, at) => Math.min(...samples.map(({ turnMs }) => turnMs[at] ?? Infinity)));
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? NaN) + (sorted[Math.floor(middle)] ?? NaN)) / 2;
}

export function percentile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? NaN;
}
