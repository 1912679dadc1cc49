// What we promise, against the `fetch` floor or by itself, and whether it held.
import type { ChildrenFigures } from "./children.ts";
import type { Figures } from "./figures.ts";
import type { RightsFigures } from "./rights.ts";

export type Results = { readonly short: Figures; readonly long: Figures };
export type Verdict = {
  readonly what: string;
  /** Empty where a bound needs no floor. */
  readonly floor: string;
  readonly ours: string;
  readonly ratio: string;
  readonly bound: string;
  readonly holds: boolean;
};

type Bound = {
  readonly what: string;
  readonly bound: number;
  read(results: Results): number;
  show(value: number): string;
};

const ms = (value: number): string => `${value.toFixed(0)} ms`;

const bounds: readonly Bound[] = [
  { what: "one turn: time to the first request", bound: 1.7, read: ({ short }) => short.firstRequestMs, show: ms },
  { what: "one turn: peak memory", bound: 1.5, read: ({ short }) => short.peakMb, show: (mb) => `${mb.toFixed(0)} MB` },
  { what: "200 turns: CPU", bound: 3, read: ({ long }) => long.cpuMs, show: ms },
  {
    what: "200 turns: a late turn against an early one",
    bound: 1.25,
    read: ({ long }) => long.growth,
    show: (growth) => `${growth.toFixed(2)}×`,
  },
];

export function judge(floor: Results, ours: Results, children: ChildrenFigures, rights: RightsFigures): Verdict[] {
  return [
    ...bounds.map(({ what, bound, read, show }) => against(what, read(floor), read(ours), bound, show)),
    ...judgeChildren(children),
    ...judgeRights(rights),
  ];
}

function judgeRights({ readMs, commandMostMs, start }: RightsFigures): Verdict[] {
  const { bareMs, unaskedMs, confinedMs } = start;
  return [
    atMost("judging a call that reads", readMs, 0.2, (value) => `${value.toFixed(2)} ms`),
    atMost("judging a command, 99 of 100", commandMostMs, 5, (value) => `${value.toFixed(1)} ms`),
    atMost(
      "what nobody was asked about adds to a command's start",
      unaskedMs - bareMs,
      15,
      (value) => `${value.toFixed(1)} ms`,
    ),
    atMost("a sandbox adds to a command's start", confinedMs - bareMs, 15, (value) => `${value.toFixed(1)} ms`),
  ];
}

function judgeChildren({ floor, ours, kbPerChild, spawnMs, bytes }: ChildrenFigures): Verdict[] {
  return [
    against("64 children × 5 reads: wall", floor.wallMs, ours.wallMs, 2.5, ms),
    against("64 children × 5 reads: CPU", floor.cpuMs, ours.cpuMs, 2.5, ms),
    atMost("memory of one more child", kbPerChild, 300, (kb) => `${kb.toFixed(0)} kB`),
    atMost("spawn to the child's first request", spawnMs, 5, (value) => `${value.toFixed(1)} ms`),
    atMost("first request of a read-only child", bytes.readOnly, 4_096, inBytes),
    atMost("first request of a general-purpose child", bytes.general, 6_144, inBytes),
    atMost("first request of a lead with 40 agents", bytes.lead, 16_384, inBytes),
  ];
}

const inBytes = (bytes: number): string => `${bytes.toFixed(0)} B`;

function against(what: string, floor: number, ours: number, bound: number, show: (value: number) => string): Verdict {
  const ratio = ours / floor;
  const shown = { floor: show(floor), ours: show(ours), ratio: ratio.toFixed(2), bound: `≤ ${bound}` };
  return { what, ...shown, holds: ratio <= bound };
}

function atMost(what: string, ours: number, bound: number, show: (value: number) => string): Verdict {
  return {
    what,
    floor: "",
    ours: show(ours),
    ratio: "",
    bound: `≤ ${show(bound).replace(".0 ", " ")}`,
    holds: ours <= bound,
  };
}
