// One door per provider for all runs of a process: a cooldown that everyone keeps, and a number of calls at once.
// After a cooldown the waiting calls leave one by one, never two in the same 10 ms.
import type { Clock, Random } from "../../ports/clock.ts";

export type RateGate = {
  /** Waits for the cooldown and for a place; the returned function gives the place back. */
  enter(provider: string, signal: AbortSignal): Promise<() => void>;
  /** How long a call entering now would wait for the cooldown, ms. */
  cooling(provider: string): number;
  /** No call to this provider for `ms`. */
  cool(provider: string, ms: number): void;
};

type Door = { coolUntil: number; nextFree: number; lastLeft: number; inside: number; queue: (() => void)[] };

const APART_MS = 20;
const SPREAD_MS = 30;

export function createRateGate(clock: Clock, random: Random, atOnce: number): RateGate {
  const doors = new Map<string, Door>();
  const doorOf = (provider: string): Door => {
    let door = doors.get(provider);
    if (!door) doors.set(provider, (door = { coolUntil: 0, nextFree: 0, lastLeft: 0, inside: 0, queue: [] }));
    return door;
  };

  async function place(door: Door, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (door.inside < atOnce) {
      door.inside++;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const take = (): void => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = (): void => {
        door.queue.splice(door.queue.indexOf(take), 1);
        reject(signal.reason);
      };
      door.queue.push(take);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  function giveBack(door: Door): () => void {
    let given = false;
    return () => {
      if (given) return;
      given = true;
      const next = door.queue.shift();
      if (next) next();
      else door.inside--;
    };
  }

  async function waitOut(door: Door, signal: AbortSignal): Promise<void> {
    for (let now = clock.ticks(); ; now = clock.ticks()) {
      if (now < door.coolUntil) {
        const at = Math.max(door.coolUntil, door.nextFree);
        door.nextFree = at + APART_MS + random.next() * SPREAD_MS;
        await clock.sleep(at - now, signal);
      } else if (now < door.lastLeft + APART_MS) {
        // Timers that were late together must not leave together.
        await clock.sleep(door.lastLeft + APART_MS - now, signal);
      } else {
        door.lastLeft = now;
        return;
      }
    }
  }

  return {
    async enter(provider, signal) {
      const door = doorOf(provider);
      await place(door, signal);
      const leave = giveBack(door);
      try {
        if (clock.ticks() < door.coolUntil) await waitOut(door, signal);
        return leave;
      } catch (error) {
        leave();
        throw error;
      }
    },
    cooling: (provider) => Math.max(0, (doors.get(provider)?.coolUntil ?? 0) - clock.ticks()),
    cool(provider, ms) {
      const door = doorOf(provider);
      door.coolUntil = Math.max(door.coolUntil, clock.ticks() + ms);
    },
  };
}
