// Where agents keep what they want to know the next time: one file each.
import type { MemoryPlace } from "../core/memory.ts";

export type OpenedMemory =
  | {
      readonly ok: true;
      /** The real path: nothing else is the agent's memory. */
      readonly path: string;
      readonly text: string;
      /** SHA-256 of all of it; left out where it is too long to be read whole. */
      readonly hash?: string;
    }
  | { readonly ok: false; readonly problem: string };

export interface MemoryStore {
  /** Makes the file when it is absent. */
  open(place: MemoryPlace): Promise<OpenedMemory>;
}
