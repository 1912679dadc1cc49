// Randomness that is the same for the same seed, so that a failing run can be run again.
import type { Random } from "../../ports/clock.ts";

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  let count = 0;
  // Mulberry32.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const hex = (digits: number): string =>
    Array.from({ length: digits }, () => Math.floor(next() * 16).toString(16)).join("");
  return {
    next,
    // In the form of a version 7 UUID, with a counter where the time stands: later ones sort after earlier ones.
    uuid: () => {
      const time = (count += 1).toString(16).padStart(12, "0");
      return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-${"89ab".charAt(Math.floor(next() * 4))}${hex(3)}-${hex(12)}`;
    },
  };
}
