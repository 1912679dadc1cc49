// The scripted model in a process of its own. It reads no body and renders each reply once, so that a long history costs
// it nothing: which request came decides the answer. Told over its channel what to expect, it says what came and when.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { planReply } from "../src/testing/wire-server/planned-reply.ts";
import { calls, says } from "../src/testing/wire-server/script.ts";
import { NUMBER, type Wire } from "../src/testing/wire-server/wires/wire.ts";
import { wireOf } from "../src/testing/wire-server/wires/wires.ts";
import type { Arrival, FromServer, ToServer } from "./model-server.ts";
import { monotonicMs } from "./monotonic.ts";
import { fileNames } from "./workspace.ts";

const CHUNK_CHARS = 12;
const reads = fileNames.map((file_path) => calls("Read", { file_path }, { says: "I read the next file, to know." }));
const done = says("I have read all the files: each of them tells of its own number.");

const arrivals: Arrival[] = [];
const rendered = new Map<string, string>();
let turns = 0;

const server = createServer((request, response) => {
  let bytes = 0;
  request.on("data", (chunk: Buffer) => (bytes += chunk.length));
  request.on("end", () => {
    const turn = arrivals.push({ at: monotonicMs(), bytes });
    const wire = wireOf(request.url?.split("?", 1)[0] ?? "");
    if (!wire || turn > turns) return void response.writeHead(400).end();
    const number = String(turn).padStart(8, "0");
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", ...wire.headers(number) });
    response.end(replyOf(wire, turn).replaceAll(NUMBER, number));
  });
});
server.keepAliveTimeout = 120_000;

function replyOf(wire: Wire, turn: number): string {
  const which = turn % reads.length;
  const key = `${wire.name} ${turn === turns ? "done" : which}`;
  const known = rendered.get(key);
  if (known !== undefined) return known;
  const { reply } = (turn === turns ? undefined : reads[which]) ?? done;
  const frames = wire.frames(planReply(reply, "bench", CHUNK_CHARS), { usage: true, proof: true });
  const sse = frames.map((frame) => frame.sse).join("");
  rendered.set(key, sse);
  return sse;
}

const tell = (message: FromServer): void => void process.send?.(message);
process.on("message", (message: ToServer) => {
  if (message.type === "report") return tell({ type: "arrivals", arrivals });
  turns = message.turns;
  arrivals.length = 0;
  tell({ type: "ready" });
});
process.on("disconnect", () => process.exit());
server.listen(0, "127.0.0.1", () => tell({ type: "listening", port: (server.address() as AddressInfo).port }));
