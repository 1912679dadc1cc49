// A bare HTTP client for this folder's tests: sees bytes, headers and how a connection ended, and understands nothing.
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import type { Json } from "../../core/json.ts";
import type { WireName } from "./step.ts";

export type Seen = {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** "end", or the code of the error that ended it. */
  readonly ended: string;
  /** That error's words. */
  readonly why: string;
  readonly ms: number;
  /** When, in ms since the request, the first byte of the body came. */
  readonly firstByteMs: number | undefined;
};

export const wireNames: readonly WireName[] = ["anthropic", "openai-chat", "openai-responses", "gemini"];

const paths: Readonly<Record<WireName, string>> = {
  anthropic: "/v1/messages",
  "openai-chat": "/v1/chat/completions",
  "openai-responses": "/v1/responses",
  gemini: "/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse",
};

/** The smallest valid request of a wire. */
export function bodyFor(wire: WireName, text = "hello"): Record<string, Json> {
  const messages = [{ role: "user", content: text }];
  switch (wire) {
    case "anthropic":
      return { model: "claude-1", max_tokens: 100, stream: true, messages };
    case "openai-chat":
      return { model: "gpt-1", stream: true, stream_options: { include_usage: true }, messages };
    case "openai-responses":
      return { model: "gpt-1", stream: true, include: ["reasoning.encrypted_content"], input: messages };
    case "gemini":
      return { contents: [{ role: "user", parts: [{ text }] }] };
  }
}

export type AskOptions = {
  readonly path?: string;
  readonly body?: Json;
  readonly raw?: string;
  readonly giveUpAfterMs?: number;
};

export function ask(url: string, wire: WireName, options: AskOptions = {}): Promise<Seen> {
  const started = performance.now();
  return new Promise((resolve) => {
    let text = "";
    let firstByteMs: number | undefined;
    let seen: { status: number | undefined; headers: IncomingHttpHeaders } = { status: undefined, headers: {} };
    const done = (error?: NodeJS.ErrnoException): void => {
      const ended = error ? (error.code ?? error.message) : "end";
      resolve({ ...seen, text, ended, why: error?.message ?? "", ms: performance.now() - started, firstByteMs });
    };
    const request = httpRequest(
      `${url}${options.path ?? paths[wire]}`,
      { method: "POST", agent: false },
      (response) => {
        seen = { status: response.statusCode, headers: response.headers };
        response.setEncoding("latin1").on("data", (chunk: string) => {
          firstByteMs ??= performance.now() - started;
          text += chunk;
        });
        response.on("end", () => done());
        response.on("error", done);
      },
    );
    request.on("error", done);
    if (options.giveUpAfterMs) setTimeout(() => request.destroy(new Error("gave up")), options.giveUpAfterMs);
    request.end(options.raw ?? JSON.stringify(options.body ?? bodyFor(wire)));
  });
}

export type Sse = { readonly event: string | undefined; readonly data: Json };

/** Events that carry JSON, or `[DONE]`. Comments are left out. */
export function sse(text: string): Sse[] {
  const blocks = text.replaceAll("\r\n", "\n").split("\n\n");
  return blocks.flatMap((block) => {
    const line = (name: string): string | undefined =>
      block
        .split("\n")
        .find((each) => each.startsWith(`${name}: `))
        ?.slice(name.length + 2);
    const data = line("data");
    if (data === undefined) return [];
    return [
      {
        event: line("event"),
        data: data === "[DONE]" ? data : (JSON.parse(Buffer.from(data, "latin1").toString()) as Json),
      },
    ];
  });
}
