// A Unix socket on which each line is a JSON request and gets one line as its answer. What a client sends, or that it
// hangs up, or that it never reads, harms nobody else.
import { chmodSync } from "node:fs";
import { type Server, type Socket, createServer } from "node:net";
import { type Json, type JsonObject, isObject } from "../../core/json.ts";
import { LineSplitter } from "../../std/jsonl.ts";

export type Answer =
  | ({ readonly ok: true } & { readonly [field: string]: unknown })
  | { readonly ok: false; readonly problem: string; readonly candidates?: readonly Json[] };
/** `signal` aborts when the client is gone. What is thrown is told as a problem. */
export type Respond = (request: JsonObject, signal: AbortSignal) => Promise<Answer>;
export type LineServer = { close(): void };

/** Of one request; also of all that a client sends ahead of its answers. */
export const MOST_REQUEST_BYTES = 1024 * 1024;
const MOST_CLIENTS = 256;
const IDLE_MS = 60_000;
const LINGER_MS = 1_000;

export function serveLines(path: string, respond: Respond): Promise<LineServer> {
  const clients = new Set<Socket>();
  const server: Server = createServer((socket) => {
    clients.add(socket);
    socket.on("close", () => clients.delete(socket));
    serveClient(socket, respond);
  });
  server.maxConnections = MOST_CLIENTS;
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, () => {
      server.off("error", reject).on("error", () => {});
      // Whoever embeds the engine may end while a session is open: the socket does not keep it.
      server.unref();
      chmodSync(path, 0o600);
      resolve({
        close() {
          server.close();
          for (const socket of clients) socket.end().destroySoon();
        },
      });
    });
  });
}

function serveClient(socket: Socket, respond: Respond): void {
  const gone = new AbortController();
  const waiting: Buffer[] = [];
  let waitingBytes = 0;
  let busy = false;
  let answering = false;
  socket.unref();
  socket.on("error", () => {});
  socket.on("close", () => gone.abort(new Error("the client is gone")));
  // Also one that does not read its answers; a request itself may take as long as it takes.
  socket.setTimeout(IDLE_MS, () => answering || socket.destroy());

  const tell = (answer: Answer & { id?: unknown }): void => {
    if (!socket.writable) return;
    socket.write(`${JSON.stringify(answer)}\n`);
  };
  /** One after the other, with everybody else in between, and no further while the client does not read. */
  async function workThrough(): Promise<void> {
    busy = true;
    for (let line = waiting.shift(); line !== undefined && !gone.signal.aborted; line = waiting.shift()) {
      waitingBytes -= line.length;
      answering = true;
      tell(await answerTo(line.toString("utf8"), respond, gone.signal));
      answering = false;
      await (socket.writableNeedDrain ? drained(socket) : new Promise(setImmediate));
    }
    busy = false;
  }
  const refuse = (): void => {
    tell({ ok: false, problem: `a request is at most ${MOST_REQUEST_BYTES} bytes` });
    // What is still coming is thrown away for a moment: closed at once, the client would lose the answer too.
    socket.removeAllListeners("data").resume().end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
  const splitter = new LineSplitter((bytes, _start, length) => {
    waitingBytes += length;
    if (waitingBytes <= MOST_REQUEST_BYTES) waiting.push(Buffer.from(bytes));
  }, MOST_REQUEST_BYTES);
  socket.on("data", (chunk: Buffer) => {
    splitter.push(chunk);
    if (waitingBytes + splitter.rest.length > MOST_REQUEST_BYTES) return refuse();
    if (!busy) void workThrough();
  });
}

const drained = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      socket.off("drain", done).off("close", done);
      resolve();
    };
    socket.on("drain", done).on("close", done);
  });

async function answerTo(
  line: string,
  respond: Respond,
  signal: AbortSignal,
): Promise<Answer & { readonly id?: unknown }> {
  if (line.trim() === "") return { ok: false, problem: "an empty line is no request" };
  let request: unknown;
  try {
    request = JSON.parse(line);
  } catch {
    return { ok: false, problem: "the line is not JSON" };
  }
  if (!isObject(request)) return { ok: false, problem: "a request is a JSON object with an op" };
  const id = typeof request["id"] === "string" || typeof request["id"] === "number" ? { id: request["id"] } : {};
  try {
    return { ...(await respond(request as JsonObject, signal)), ...id };
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error), ...id };
  }
}
