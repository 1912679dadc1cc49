// Reads the text of a request's messages, whatever the wire calls its parts.
import { isObject, type Json } from "../../../core/json.ts";
import type { Turn } from "./wire.ts";

/** Joins neighbouring messages of the same side: several items can make one turn. */
export function turns(messages: readonly { by: Turn["by"]; text: string }[]): Turn[] {
  const list: Turn[] = [];
  for (const message of messages) {
    const last = list.at(-1);
    if (last?.by === message.by) list[list.length - 1] = { by: last.by, text: `${last.text}\n${message.text}` };
    else list.push(message);
  }
  return list;
}

/** The texts of a content that is a string, a part, or a list of parts. */
export function texts(content: Json | undefined): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(texts).join("\n");
  if (!isObject(content)) return "";
  return typeof content.text === "string" ? content.text : texts(content.content as Json | undefined);
}

export const objects = (list: Json | undefined): Record<string, Json>[] =>
  (Array.isArray(list) ? list : []).filter((item): item is Record<string, Json> => isObject(item));
