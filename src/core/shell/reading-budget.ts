// How much one command may cost to read, with everything that is read inside of it: one budget for the whole recursion.
export type ReadingBudget = {
  /** False when there is no more: what is left is not read. */
  spend(cost: number): boolean;
};

/** About 50 ms of work on a slow machine. */
const MOST_WORK = 40_000;

export function readingBudget(): ReadingBudget {
  let left = MOST_WORK;
  return { spend: (cost) => (left -= cost) >= 0 };
}
