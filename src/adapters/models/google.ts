// Gemini: POST {base}/v1beta/models/{model}:streamGenerateContent?alt=sse.
import { endpoint } from "./base-url.ts";
import type { Site } from "./faults.ts";
import { createGoogleBody } from "./google-request.ts";
import { createGoogleReader } from "./google-reader.ts";
import { takesTemperature } from "./google-thinking.ts";
import type { Wire } from "./wire.ts";

export const GOOGLE_BASE = "https://generativelanguage.googleapis.com";

export function googleWire(site: Site, base = GOOGLE_BASE): Wire {
  const model = site.model
    .replace(/^models\//, "")
    .split("/")
    .map(encodeURIComponent)
    .join("/");
  return {
    name: "Gemini",
    url: endpoint(site, base, "v1beta", `/models/${model}:streamGenerateContent?alt=sse`),
    takesTemperature: takesTemperature(site.model),
    headers: (key) => (key ? { "x-goog-api-key": key } : {}),
    body: createGoogleBody(site.provider, site.model),
    reader: () => createGoogleReader(site),
  };
}
