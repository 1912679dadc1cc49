// How much of one reply is taken: a provider that never ends must not fill the memory. The same for every wire.
import { ModelFault } from "../../core/model-fault.ts";
import type { ModelPart, Reply } from "../../ports/model.ts";
import { faultOf, type Site } from "./faults.ts";

/** Far more than the longest output of any model, with all that a wire says around it. */
export const MOST_REPLY_CHARS = 32 * 1024 * 1024;
export const MOST_CALLS = 4_096;
/** What keeping one more piece costs, however short it is. */
const PIECE_CHARS = 64;
/** Parts of a reply are numbered; a number beyond this is no place in it. */
const MOST_PLACES = 10_000;

export type ReplyBounds = {
  /** Counts one event of the stream by what it said, or by its length where that is not told apart. */
  take(data: string, said: readonly ModelPart[], from: number): void;
};

export function createReplyBounds(site: Site, most: number = MOST_REPLY_CHARS): ReplyBounds {
  let taken = 0;
  return {
    take(data, said, from) {
      let words = 0;
      for (let at = from; at < said.length; at++) {
        const part = said[at];
        if (part?.type === "text" || part?.type === "reasoning") words += part.text.length;
      }
      taken += PIECE_CHARS + (words > 0 ? words : data.length);
      if (taken > most) throw endless(`a reply of more than ${(most / 1024 / 1024).toFixed(0)} MB`, site);
    },
  };
}

export function boundCalls(reply: Reply, site: Site): Reply {
  const calls = reply.content.filter(({ type }) => type === "call" || type === "bad-call").length;
  if (calls > MOST_CALLS)
    throw endless(`a reply with ${calls} tool calls, of which at most ${MOST_CALLS} are taken`, site);
  return reply;
}

/** The place of a part in its reply, as the wire numbers it. */
export function placeOf(value: unknown, otherwise: number, site: Site): number {
  const place = value === undefined || value === null ? otherwise : Number(value);
  if (Number.isInteger(place) && place >= 0 && place < MOST_PLACES) return place;
  throw new ModelFault(faultOf("incomplete", `${site.provider}: a part of the reply has no place in it`, site));
}

const endless = (what: string, site: Site): ModelFault =>
  new ModelFault(faultOf("too-long", `${site.provider} sent ${what}; it was cut off`, site));
