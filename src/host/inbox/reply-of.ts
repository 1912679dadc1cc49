// What a host replies to an answer that came over its socket.
import type { Item } from "../../core/inbox.ts";
import type { Json, JsonObject } from "../../core/json.ts";

export const replyOf = (item: Item, taken: boolean): { readonly taken: boolean; readonly answered?: Json } => ({
  taken,
  ...(item.answered && { answered: item.answered as unknown as JsonObject }),
});
