// One door per provider for all runs of a process: a cooldown that everyone keeps; and for each model a number of calls
// at once. After a cooldown the waiting calls leave one by one, never two in the same 10 ms.
import type { Clock, Random } from "../../ports/clock.ts";
import { type Slots, createSlots } from "../../std/slots.ts";

export type RateGate = {
  /** Waits for the provider's cooldown and for a place of the model; the returned function gives the place back. */
  enter(model: { readonly provider: string; readonly id: string }, signal: AbortSignal): Promise<() => void>;
  /** How long a call entering now would wait for the cooldown, ms. */
  cooling(provider: string): number;
  /** No call to this provider for `ms`. */
  cool(provider: string, ms: number): void;
};

type Door = { coolUntil: number; nextFree: number; lastLeft: number };

const APART_MS = 30;
const SPREAD_MS = 30;

export function createRateGate(clock: Clock, random: Random, atOnce: number): RateGate {
  const doors = new Map<string, Door>();
  const places = new Map<string, Slots>();
  const doorOf = (provider: string): Door => {
    let door = doors.get(provider);
    if (!door) doors.set(provider, (door = { coolUntil: 0, nextFree: 0, lastLeft: 0 }));
    return door;
  };
  const placesOf = (model: string): Slots => {
    let slots = places.get(model);
    if (!slots) places.set(model, (slots = createSlots(atOnce)));
    return slots;
  };

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
    async enter({ provider, id }, signal) {
      const door = doorOf(provider);
      const leave = await placesOf(id).take(signal);
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
