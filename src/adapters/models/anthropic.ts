// Anthropic Messages: POST {base}/v1/messages, streamed.
import { endpoint } from "./base-url.ts";
import { createAnthropicBody } from "./anthropic-request.ts";
import { createAnthropicReader } from "./anthropic-reader.ts";
import { bindsThinking, takesTemperature } from "./anthropic-thinking.ts";
import type { Site } from "./faults.ts";
import type { Wire } from "./wire.ts";

export const ANTHROPIC_BASE = "https://api.anthropic.com";

export function anthropicWire(site: Site, base = ANTHROPIC_BASE): Wire {
  const beta = bindsThinking(site.model) ? { "anthropic-beta": "thinking-binding-controls-2026-08-01" } : {};
  return {
    name: "Anthropic Messages",
    url: endpoint(site, base, "v1", "/messages"),
    takesTemperature: takesTemperature(site.model),
    headers: (key) => ({ "anthropic-version": "2023-06-01", ...beta, ...auth(key) }),
    body: createAnthropicBody(site.provider, site.model),
    reader: () => createAnthropicReader(site),
  };
}

function auth(key: string | undefined): Record<string, string> {
  if (!key) return {};
  return key.startsWith("sk-ant-oat") ? { authorization: `Bearer ${key}` } : { "x-api-key": key };
}
