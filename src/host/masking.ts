// Where the host hides the keys it knows: from what is stored, and from the events and results it hands out. What a
// person is asked to approve does not come this way and is shown as it is.
import type { Live, StreamEvent } from "../core/events.ts";
import { looksLikeKey } from "../core/looks-like-key.ts";
import type { Mask, Secret } from "../core/mask.ts";
import { maskFreeText } from "../core/mask-free-text.ts";
import { type MaskStream, maskStream } from "../core/mask-stream.ts";
import type { TreeWriter } from "../engine/runs/tree-writer.ts";
import { secretNames } from "./config/key-names.ts";
import type { Config } from "./config/schema.ts";

type Env = Readonly<Record<string, string | undefined>>;
const PROXIES = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"] as const;

/** Keys in variables and in the key file, and passwords of proxies; what commands hand out is added when they do. */
export function knownSecrets(config: Config, env: Env, stored: Readonly<Record<string, string>>): Secret[] {
  return [
    ...secretNames(config).flatMap((name) => secret(name, env[name]?.trim())),
    ...Object.entries(stored).flatMap(([provider, key]) => secret(`key of ${provider}`, key)),
    // One who put a key in the command's place does not want it shown either.
    ...Object.entries(config.providers ?? {}).flatMap(([provider, { apiKeyCommand = "" }]) =>
      secret(`key of ${provider}`, looksLikeKey(apiKeyCommand) ? apiKeyCommand.trim() : undefined),
    ),
    ...PROXIES.flatMap((name) => secret(name, passwordIn(env[name]))),
  ];
}

const secret = (name: string, value: string | undefined): Secret[] => (value ? [{ name, value }] : []);

function passwordIn(address: string | undefined): string | undefined {
  const found = address && /^[a-z]+:\/\/[^/@]*?:([^/@]+)@/i.exec(address)?.[1];
  return found || undefined;
}

/** The same writer, whose listeners see no secret. */
export function maskedWriter(writer: TreeWriter, mask: Mask, clean: WeakSet<object>): TreeWriter {
  return { ...writer, subscribe: (listener) => writer.subscribe(masking(listener, mask, clean)) };
}

/** A model says a key piece by piece: the end of a piece that may be its beginning waits for the next one. */
function masking(
  listener: (event: StreamEvent) => void,
  mask: Mask,
  clean: WeakSet<object>,
): (event: StreamEvent) => void {
  const streams = new Map<string, { readonly stream: MaskStream; last: Delta }>();
  return (event) => {
    if (event.type === "text.delta" || event.type === "reasoning.delta") {
      const kind = `${event.session} ${event.type}`;
      const known = streams.get(kind) ?? { stream: maskStream(mask), last: event };
      known.last = event;
      streams.set(kind, known);
      const text = known.stream.push(event.text);
      if (text === event.text) listener(event);
      else if (text !== "") listener({ ...event, text });
      return;
    }
    if (event.type !== "log.synced")
      for (const [kind, { stream, last }] of streams) {
        if (last.session !== event.session) continue;
        streams.delete(kind);
        const text = stream.end();
        if (text !== "") listener({ ...last, text });
      }
    listener(clean.has(event) ? event : maskFreeText(mask, event));
  };
}

type Delta = Extract<Live, { type: "text.delta" | "reasoning.delta" }>;
