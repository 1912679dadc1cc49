// How much one command may cost to read, with everything that is read inside of it: one budget for the whole recursion.
export type ReadingBudget = {
  /** False when there is no more: what is left is not read. */
  spend(cost: number): boolean;
};

/** In characters to parse; about 50 ms on a slow machine. The longest command that is read at all takes half of it. */
const MOST_WORK = 100_000;

export function readingBudget(): ReadingBudget {
  let left = MOST_WORK;
  return { spend: (cost) => (left -= cost) >= 0 };
}
