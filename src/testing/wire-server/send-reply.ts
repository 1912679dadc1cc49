// Sends the frames of a reply at the pace, and with the break, that the step wants.
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Break, Pace } from "./step.ts";
import type { Frame } from "./wires/wire.ts";

export type Sending = {
  readonly frames: readonly Frame[];
  readonly headers: Readonly<Record<string, string>>;
  readonly pace: Pace | undefined;
  readonly breaks: Break | undefined;
  /** What the wire says, made final: the reply's number and line ends in place. */
  readonly final: (sse: string) => string;
  readonly ping: string;
  readonly streamError: (error: Extract<Break, { how: "errors" }>["error"], sent: number) => string;
  /** Aborted when the client, or the server's end, closed the connection. */
  readonly signal: AbortSignal;
};

export async function sendReply(response: ServerResponse, sending: Sending): Promise<void> {
  const { frames, headers, pace = {}, breaks, final, signal } = sending;
  await pause(pace.headersAfterMs, signal);
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
    ...headers,
  });

  const stop = breaks ? breakAt(frames, breaks.afterDeltas) : frames.length;
  await sendFrames(response, frames.slice(0, stop), sending);
  if (!breaks) return void response.end();

  switch (breaks.how) {
    case "cut":
      return cutOff(response);
    case "ends":
      return void response.end();
    case "errors":
      return void response.end(final(sending.streamError(breaks.error, stop)));
    case "garbage":
      return void response.end(breaks.text);
    case "stalls":
      await silence(response, breaks, sending);
      if (!breaks.thenFinish) return cutOff(response);
      await sendFrames(response, frames.slice(stop), sending);
      return void response.end();
  }
}

/** The place after the n-th piece of content, and before the framing that ends the reply. */
function breakAt(frames: readonly Frame[], afterDeltas: number): number {
  const deltas = frames.flatMap((frame, n) => (frame.delta ? [n] : []));
  if (afterDeltas <= 0) return deltas[0] ?? frames.length - 1;
  return (deltas[Math.min(afterDeltas, deltas.length) - 1] ?? frames.length - 2) + 1;
}

async function sendFrames(response: ServerResponse, frames: readonly Frame[], sending: Sending): Promise<void> {
  const { pace, final, signal } = sending;
  if (!pace?.firstTokenAfterMs && !pace?.perDeltaMs && !pace?.byteEveryMs) {
    if (frames.length > 0) response.write(final(frames.map((frame) => frame.sse).join("")));
    return;
  }
  let first = true;
  for (const frame of frames) {
    if (frame.delta) await pause(first ? (pace.firstTokenAfterMs ?? pace.perDeltaMs) : pace.perDeltaMs, signal);
    if (frame.delta) first = false;
    if (!pace.byteEveryMs) response.write(final(frame.sse));
    else
      for (const byte of Buffer.from(final(frame.sse))) {
        response.write(Buffer.of(byte));
        await pause(pace.byteEveryMs, signal);
      }
  }
}

async function silence(
  response: ServerResponse,
  { forMs, pingEveryMs }: { forMs?: number; pingEveryMs?: number },
  sending: Sending,
): Promise<void> {
  const pings = pingEveryMs ? setInterval(() => response.write(sending.final(sending.ping)), pingEveryMs) : undefined;
  try {
    await (forMs === undefined ? forever(sending.signal) : pause(forMs, sending.signal));
  } finally {
    clearInterval(pings);
  }
}

/** What was written before goes out first; then the connection is gone in the middle of the body. */
function cutOff(response: ServerResponse): void {
  response.write(": ", () => response.socket?.destroy());
}

const pause = async (ms: number | undefined, signal: AbortSignal): Promise<void> =>
  ms ? sleep(ms, undefined, { signal }) : undefined;
const forever = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
