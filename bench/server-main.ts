// The scripted model in a process of its own. Of a lead that works alone it reads no body and renders each reply once,
// so that a long history costs it nothing: which request came decides the answer. With children the body says who asks.
// Told over its channel what to expect, it says what came and when.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { planReply } from "../src/testing/wire-server/planned-reply.ts";
import { NUMBER, type Wire } from "../src/testing/wire-server/wires/wire.ts";
import { wireOf } from "../src/testing/wire-server/wires/wires.ts";
import { type Asker, type Expected, askerIn, replyTo, requestsOf } from "./expected.ts";
import type { Arrival, FromServer, ToServer } from "./model-server.ts";
import { monotonicMs } from "./monotonic.ts";

const CHUNK_CHARS = 12;

let arrivals: Arrival[] = [];
let expected: Expected = { kind: "line", turns: 0 };
const rendered = new Map<string, string>();

const server = createServer((request, response) => {
  const kept: Buffer[] = [];
  let bytes = 0;
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (expected.kind !== "line") kept.push(chunk);
  });
  request.on("end", () => {
    const at = monotonicMs();
    const asker: Asker =
      expected.kind === "line" ? { child: undefined, turn: arrivals.length + 1 } : askerIn(Buffer.concat(kept));
    const arrival: Arrival = { at, bytes, ...asker, answered: 0 };
    arrivals.push(arrival);
    const wire = wireOf(request.url?.split("?", 1)[0] ?? "");
    if (!wire || arrivals.length > requestsOf(expected)) return void response.writeHead(400).end();
    const number = String(arrivals.length).padStart(8, "0");
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", ...wire.headers(number) });
    response.end(replyOf(wire, asker).replaceAll(NUMBER, number));
    arrival.answered = monotonicMs();
  });
});
server.keepAliveTimeout = 120_000;

function replyOf(wire: Wire, asker: Asker): string {
  const { reply } = replyTo(expected, asker);
  const key = `${wire.name} ${JSON.stringify(reply)}`;
  const known = rendered.get(key);
  if (known !== undefined) return known;
  const frames = wire.frames(planReply(reply, "bench", CHUNK_CHARS), { usage: true, proof: true });
  const sse = frames.map((frame) => frame.sse).join("");
  rendered.set(key, sse);
  return sse;
}

const tell = (message: FromServer): void => void process.send?.(message);
process.on("message", (message: ToServer) => {
  if (message.type === "report") return tell({ type: "arrivals", arrivals });
  expected = message.expected;
  arrivals = [];
  tell({ type: "ready" });
});
process.on("disconnect", () => process.exit());
server.listen(0, "127.0.0.1", () => tell({ type: "listening", port: (server.address() as AddressInfo).port }));
