// Records the answer to an item of the inbox, on the disk before it counts. The first one is the answer.
import type { Origin } from "../../core/events.ts";
import type { ItemId } from "../../core/ids.ts";
import type { Answer, Item } from "../../core/inbox.ts";
import { originOf } from "./tree.ts";
import type { TreeWriter } from "./tree-writer.ts";

export type Given =
  | { readonly is: "taken"; readonly item: Item }
  /** It has an answer, or nobody waits for one any more. */
  | { readonly is: "late"; readonly item: Item }
  | { readonly is: "unknown" };

const never = new AbortController().signal;

/** One at a time per writer. */
export async function answerItem(writer: TreeWriter, id: ItemId, answer: Answer, by: string): Promise<Given> {
  const item = writer.state.items.all.get(id);
  if (!item) return { is: "unknown" };
  if (item.answered || item.closed) return { is: "late", item };
  const asker = writer.state.sessions.get(item.session);
  const origin: Origin = asker ? originOf(asker) : { session: item.session, path: item.path };
  const { seq } = await writer.record(origin, { type: "item.answered", item: id, answer, by }, never);
  await writer.durable(seq, origin, never);
  return { is: "taken", item };
}
