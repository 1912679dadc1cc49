// Records the answer to an item of the inbox, on the disk before it counts. The first one is the answer.
import type { Origin } from "../../core/events.ts";
import type { ItemId, SessionId } from "../../core/ids.ts";
import type { Granted } from "../../core/grants.ts";
import { type Answer, type Item, type Seen, isBlind } from "../../core/inbox.ts";
import { originOf } from "./tree.ts";
import type { TreeWriter } from "./tree-writer.ts";

export type Given =
  | { readonly is: "taken"; readonly item: Item }
  /** It has an answer, or nobody waits for one any more. */
  | { readonly is: "late"; readonly item: Item }
  /** It came before the item was shown, so it was meant for something else. */
  | { readonly is: "blind"; readonly item: Item }
  | { readonly is: "unknown" };

const never = new AbortController().signal;

/** Stores what a person allows for good; says why it cannot. */
export type KeepGrants = (granted: Granted, by: string, session: SessionId) => string | undefined;

/** One at a time per writer. */
export async function answerItem(
  writer: TreeWriter,
  id: ItemId,
  given: Answer,
  by: string,
  keep?: KeepGrants,
  seen?: Seen,
): Promise<Given> {
  const item = writer.state.items.all.get(id);
  if (!item) return { is: "unknown" };
  if (item.answered || item.closed) return { is: "late", item };
  if (seen && isBlind(item, seen)) return { is: "blind", item };
  const asker = writer.state.sessions.get(item.session);
  const origin: Origin = asker ? originOf(asker) : { session: item.session, path: item.path };
  // Stored before it is on record: a record of a grant that is not there would promise what does not hold.
  const answer = kept(given, (granted) => (keep ? keep(granted, by, item.session) : "there is no place to store it"));
  const { seq } = await writer.record(
    origin,
    { type: "item.answered", item: id, answer, by, ...(seen && { seen }) },
    never,
  );
  await writer.durable(seq, origin, never);
  return { is: "taken", item };
}

function kept(answer: Answer, keep: (granted: Granted) => string | undefined): Answer {
  if (!("allow" in answer) || !answer.allow || !answer.granted) return answer;
  const notKept = keep(answer.granted);
  return notKept === undefined ? answer : { allow: true, notKept };
}
