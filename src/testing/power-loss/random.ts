// Repeatable randomness for simulated disks: the same seed gives the same damage.
import { seededRandom } from "../memory/seeded-random.ts";

export type Dice = {
  /** In [0, 1). */
  next(): number;
  /** An integer in [from, to). */
  int(from: number, to: number): number;
};

export function dice(seed: number): Dice {
  const { next } = seededRandom(seed);
  return { next, int: (from, to) => from + Math.floor(next() * Math.max(1, to - from)) };
}
