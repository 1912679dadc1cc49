// What we promise against the `fetch` floor, and whether it held.
import type { Figures } from "./figures.ts";

export type Results = { readonly short: Figures; readonly long: Figures };
export type Verdict = {
  readonly what: string;
  readonly floor: string;
  readonly ours: string;
  readonly ratio: number;
  readonly bound: number;
  readonly holds: boolean;
};

type Bound = {
  readonly what: string;
  readonly bound: number;
  read(results: Results): number;
  show(value: number): string;
};

const bounds: readonly Bound[] = [
  {
    what: "one turn: time to the first request",
    bound: 1.7,
    read: ({ short }) => short.firstRequestMs,
    show: (ms) => `${ms.toFixed(0)} ms`,
  },
  {
    what: "one turn: peak memory",
    bound: 1.5,
    read: ({ short }) => short.peakMb,
    show: (mb) => `${mb.toFixed(0)} MB`,
  },
  { what: "200 turns: CPU", bound: 3, read: ({ long }) => long.cpuMs, show: (ms) => `${ms.toFixed(0)} ms` },
  {
    what: "200 turns: a late turn against an early one",
    bound: 1.25,
    read: ({ long }) => long.growth,
    show: (growth) => `${growth.toFixed(2)}×`,
  },
];

export function judge(floor: Results, ours: Results): Verdict[] {
  return bounds.map(({ what, bound, read, show }) => {
    const ratio = read(ours) / read(floor);
    return { what, floor: show(read(floor)), ours: show(read(ours)), ratio, bound, holds: ratio <= bound };
  });
}
