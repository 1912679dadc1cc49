// What a power loss can make of the bytes of a file that were written but not synced.
import type { Dice } from "./random.ts";

export const damages = ["dropped", "kept", "torn", "zero-block", "hole", "garbage"] as const;
export type DamageKind = (typeof damages)[number];

/** `durable` is what the last sync covered; `current` what the program had written since. */
export function damagedBytes(durable: Buffer, current: Buffer, kind: DamageKind, dice: Dice): Buffer {
  const safe = commonPrefix(durable, current);
  if (kind === "dropped") return durable;
  // A file that was cut and not synced is either cut or not.
  if (kind === "kept" || current.length <= safe) return kind === "kept" || dice.next() < 0.5 ? current : durable;
  const image = Buffer.from(current);
  const pick = (): number => dice.int(safe, image.length);
  switch (kind) {
    case "torn":
      return image.subarray(0, pick());
    case "zero-block": {
      const size = dice.next() < 0.5 ? 512 : 4096;
      const start = Math.floor(pick() / size) * size;
      return image.fill(0, Math.max(safe, start), Math.min(image.length, start + size));
    }
    case "hole": {
      // An earlier page is missing although a later one arrived; the file's size had grown already.
      const later = pick();
      return image.fill(0, safe, later).subarray(0, dice.next() < 0.5 ? image.length : Math.max(later, pick()));
    }
    case "garbage": {
      const start = pick();
      const end = Math.min(image.length, start + dice.int(1, 600));
      for (let i = start; i < end; i++) image[i] = dice.int(0, 256);
      return image;
    }
  }
}

function commonPrefix(a: Buffer, b: Buffer): number {
  const length = Math.min(a.length, b.length);
  if (a.subarray(0, length).equals(b.subarray(0, length))) return length;
  let at = 0;
  while (at < length && a[at] === b[at]) at++;
  return at;
}
