// OpenAI Responses: POST {base}/v1/responses, streamed, nothing stored at the provider.
import { endpoint } from "./base-url.ts";
import type { Site } from "./faults.ts";
import { createResponsesBody } from "./openai-responses-request.ts";
import { createResponsesReader } from "./openai-responses-reader.ts";
import { takesTemperature } from "./openai-effort.ts";
import type { Wire } from "./wire.ts";

export const OPENAI_BASE = "https://api.openai.com";

export function openaiResponsesWire(site: Site, base = OPENAI_BASE): Wire {
  return {
    name: "OpenAI Responses",
    url: endpoint(site, base, "v1", "/responses"),
    takesTemperature: takesTemperature(site.model),
    headers: (key) => (key ? { authorization: `Bearer ${key}` } : {}),
    body: createResponsesBody(site.provider, site.model),
    reader: () => createResponsesReader(site),
  };
}
