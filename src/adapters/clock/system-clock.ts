// The machine's own time and randomness.
import { randomBytes } from "node:crypto";
import type { Clock, Random } from "../../ports/clock.ts";

const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  ticks: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const end = performance.now() + ms;
      let timer: NodeJS.Timeout;
      const give = (): void => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      // Node fires a longer timer at once, so a long sleep is made of several.
      const arm = (): void => {
        const left = end - performance.now();
        timer = left > LONGEST_TIMER_MS ? setTimeout(arm, LONGEST_TIMER_MS) : setTimeout(finish, Math.max(0, left));
      };
      const finish = (): void => {
        signal?.removeEventListener("abort", give);
        resolve();
      };
      signal?.addEventListener("abort", give, { once: true });
      arm();
    }),
};

export const systemRandom: Random = {
  next: () => Math.random(),
  uuid: () => uuidV7(Date.now(), randomBytes(10)),
};

/** A UUID that begins with its time, so that ids sort by age. */
export function uuidV7(time: number, dice: Uint8Array): string {
  const bytes = new Uint8Array(16);
  for (let at = 5, rest = time; at >= 0; at--, rest = Math.floor(rest / 256)) bytes[at] = rest % 256;
  bytes.set(dice.subarray(0, 10), 6);
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Buffer.from(bytes).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
