// OpenAI Chat Completions, and every server that speaks it: POST {base}/v1/chat/completions, streamed.
import { endpoint } from "./base-url.ts";
import type { Site } from "./faults.ts";
import { createChatBody } from "./openai-chat-request.ts";
import { createChatReader } from "./openai-chat-reader.ts";
import { takesTemperature } from "./openai-effort.ts";
import type { Wire } from "./wire.ts";

/** `native`: OpenAI itself. Others are sent only the fields that all of them know. */
export function openaiChatWire(site: Site, base: string, native: boolean): Wire {
  return {
    name: "OpenAI Chat Completions",
    url: endpoint(site, base, "v1", "/chat/completions"),
    takesTemperature: takesTemperature(site.model),
    headers: (key) => (key ? { authorization: `Bearer ${key}` } : {}),
    body: createChatBody(site.provider, site.model, native),
    reader: () => createChatReader(site),
  };
}
