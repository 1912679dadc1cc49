// Repeatable randomness for simulated disks: the same seed gives the same damage.
export type Dice = {
  /** In [0, 1). */
  next(): number;
  /** An integer in [from, to). */
  int(from: number, to: number): number;
};

/** mulberry32 */
export function dice(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return { next, int: (from, to) => from + Math.floor(next() * Math.max(1, to - from)) };
}
