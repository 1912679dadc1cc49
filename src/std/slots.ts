// A number of places, given out in the order of asking.
export type Slots = {
  hasFree(): boolean;
  /** Resolves with what gives the place back. `queued` is told the place in the queue, from 1, as it changes. */
  take(signal: AbortSignal, queued?: (place: number) => void): Promise<() => void>;
};

const TOLD = 5;

type Waiter = { go(): void; queued: ((place: number) => void) | undefined };

export function createSlots(count: number): Slots {
  const queue: Waiter[] = [];
  let free = count;
  /** Only those near the door: with a thousand waiting, telling all of them at each step would be a flood. */
  const tellPlaces = (): void => queue.slice(0, TOLD).forEach((waiter, at) => waiter.queued?.(at + 1));
  const giver = (): (() => void) => {
    let given = false;
    return () => {
      if (given) return;
      given = true;
      const next = queue.shift();
      if (!next) return void free++;
      next.go();
      tellPlaces();
    };
  };
  return {
    hasFree: () => free > 0,
    take(signal, queued) {
      if (signal.aborted) return Promise.reject(signal.reason);
      if (free > 0) {
        free--;
        return Promise.resolve(giver());
      }
      return new Promise((resolve, reject) => {
        const quit = (): void => {
          queue.splice(queue.indexOf(waiter), 1);
          reject(signal.reason);
          tellPlaces();
        };
        const waiter: Waiter = {
          queued,
          go: () => {
            signal.removeEventListener("abort", quit);
            resolve(giver());
          },
        };
        queue.push(waiter);
        signal.addEventListener("abort", quit, { once: true });
        queued?.(queue.length);
      });
    },
  };
}
