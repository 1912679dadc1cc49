// The body of an answer as text: unpacked, decoded and, when it is HTML, converted while it arrives. Never more than its
// limit is unpacked, whatever the answer claims to be.
import type { IncomingMessage } from "node:http";
import type { Page } from "../../ports/web.ts";
import { decoded } from "../models/decoded.ts";
import { createHtmlText } from "./html-text.ts";

export async function readPage(answer: IncomingMessage, url: URL, most: number, signal: AbortSignal): Promise<Page> {
  const type = (answer.headers["content-type"] ?? "text/plain").split(";")[0]!.trim().toLowerCase();
  const status = answer.statusCode ?? 0;
  if (!isText(type)) {
    answer.destroy();
    return { ok: false, problem: `is ${type}, not text: fetch it with Bash if it is needed` };
  }
  const body = await decoded(answer);
  const decoder = decoderFor(answer.headers["content-type"]);
  const html = /html/.test(type) ? createHtmlText() : undefined;
  const parts: string[] = [];
  let left = most;
  const take = (text: string): void => void (html ? html.write(text) : parts.push(text));
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      signal.throwIfAborted();
      take(decoder.decode(chunk.subarray(0, left), { stream: true }));
      left -= chunk.length;
      if (left < 0) break;
    }
  } finally {
    answer.destroy();
  }
  take(decoder.decode());
  const text = html ? html.finish() : parts.join("");
  return { ok: true, url: url.href, status, type, text, cut: left < 0 };
}

const isText = (type: string): boolean =>
  type.startsWith("text/") ||
  /^application\/(.+\+)?(json|xml|javascript|ecmascript|x-sh|toml|yaml|x-yaml|xhtml\+xml|x-ndjson|sql|graphql)$/.test(
    type,
  );

function decoderFor(contentType: string | undefined): InstanceType<typeof TextDecoder> {
  const name = /charset="?([\w-]+)/i.exec(contentType ?? "")?.[1];
  try {
    return new TextDecoder(name ?? "utf-8");
  } catch {
    return new TextDecoder();
  }
}
