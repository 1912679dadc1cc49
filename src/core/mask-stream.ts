// Masks text that comes in pieces: a piece may end in the middle of a secret, so that its end waits for the next.
import type { Mask } from "./mask.ts";
import { openSecret } from "./open-secret.ts";

export type MaskStream = {
  /** What can be told now. */
  push(piece: string): string;
  /** What had waited; after this the stream begins anew. */
  end(): string;
};

export function maskStream(mask: Mask): MaskStream {
  let rest = "";
  return {
    push(piece) {
      // Known values first: what is left of a text then ends in no whole one of them.
      const text = mask.known(rest + piece);
      const waits = Math.max(mask.held(text), openSecret(text));
      rest = text.slice(text.length - waits);
      return mask.text(text.slice(0, text.length - waits));
    },
    end() {
      const last = mask.text(rest);
      rest = "";
      return last;
    },
  };
}
