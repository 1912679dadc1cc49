// Carries out one step on one response.
import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { crlf, type FrameMaker } from "./reply-frames.ts";
import { sendReply } from "./send-reply.ts";
import type { Failure, Step } from "./step.ts";
import type { WireRequest } from "./wire-request.ts";
import { NUMBER, type Wire } from "./wires/wire.ts";

export type Answering = {
  readonly wire: Wire;
  readonly request: WireRequest;
  /** The reply's number as it stands in ids. */
  readonly number: string;
  readonly frames: FrameMaker;
  readonly newline: "lf" | "crlf";
  readonly signal: AbortSignal;
};

export async function sendAnswer(response: ServerResponse, step: Step, answering: Answering): Promise<void> {
  const { wire, number, signal } = answering;
  switch (step.type) {
    case "reply": {
      const lines = answering.newline === "crlf" ? crlf : (sse: string): string => sse;
      return sendReply(response, {
        frames: answering.frames(step, wire, answering.request),
        headers: wire.headers(number),
        pace: step.pace,
        breaks: step.breaks,
        final: (sse) => sse.replaceAll(NUMBER, number),
        ping: lines(wire.ping),
        streamError: (error, sent) => lines(wire.streamError(error, sent)),
        signal,
      });
    }
    case "fails":
      return sendFailure(response, step.failure, answering);
    case "resets":
      return void response.socket?.resetAndDestroy();
    case "html":
      return void response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(step.body);
    case "redirects":
      return void response.writeHead(step.status, { location: step.to }).end();
    case "gzip-bomb":
      return bomb(response, step.megabytes, signal);
  }
}

export function sendFailure(
  response: ServerResponse,
  failure: Failure,
  { wire, number }: Pick<Answering, "wire" | "number">,
): void {
  const { status, body, headers } = wire.failure(failure);
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const type = typeof body === "string" ? "text/plain" : "application/json";
  response.writeHead(status, { "content-type": type, ...wire.headers(number), ...headers });
  response.end(text.replaceAll(NUMBER, number));
}

/** A gzip stream may have many members: one packed megabyte, sent as often as wanted. */
async function bomb(response: ServerResponse, megabytes: number, signal: AbortSignal): Promise<void> {
  const packed = gzipSync(Buffer.alloc(1 << 20, " "), { level: 9 });
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "content-encoding": "gzip" });
  for (let sent = 0; sent < megabytes && !signal.aborted; sent += 1)
    if (!response.write(packed)) await drained(response, signal);
  response.end();
}

const drained = (response: ServerResponse, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    response.once("drain", resolve);
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
