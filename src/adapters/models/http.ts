// One pool of kept-alive connections for all model requests of a process. POSTs a body, streams the answer back.
// Never follows a redirect: a key goes to the host it was given for and to no other.
import type { Agent, ClientRequest, IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { ModelFault } from "../../core/model-fault.ts";
import { createChunks, type Chunks } from "./chunks.ts";
import { decoded } from "./decoded.ts";
import { networkFault, redirectFault, tooLargeFault } from "./socket-faults.ts";

export type HttpRequest = {
  readonly url: URL;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | readonly Buffer[];
  readonly signal: AbortSignal;
  /** A longer body is refused here, before anything is sent. */
  readonly maxBytes?: number;
};

export type HttpReply = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Rejects with a ModelFault when the connection is cut, with the signal's reason when aborted. */
  read(): Promise<readonly Buffer[] | undefined>;
  /** At most `limit` bytes of the (decoded) body, and whatever of it came within `ms`. */
  text(limit: number, ms: number): Promise<string>;
  /** The rest is of no interest: keep the connection if the body ends soon, else drop it. */
  release(): void;
  /** End the connection now. */
  drop(): void;
};

export type Http = { post(request: HttpRequest): Promise<HttpReply>; close(): void };

export type HttpOptions = {
  /** Where HTTP_PROXY, HTTPS_PROXY and NO_PROXY are looked up. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** How long an unused connection is kept. */
  readonly idleMs?: number;
};

// An import of node:http would also load undici, for globals that it hands on: memory and time at every start.
const http = process.getBuiltinModule("node:http");
const MAX_BYTES = 32 * 1024 * 1024;
const LINGER_MS = 1000;

export function createHttp(options: HttpOptions = {}): Http {
  const agents = new Map<string, Agent>();

  async function agentFor(protocol: string): Promise<Agent> {
    const known = agents.get(protocol);
    if (known) return known;
    const make = protocol === "https:" ? (await import("node:https")).Agent : http.Agent;
    const proxyEnv = proxied(options.env) ? { proxyEnv: { ...options.env } } : {};
    const agent = agents.get(protocol) ?? new make({ keepAlive: true, timeout: options.idleMs ?? 60_000, ...proxyEnv });
    agents.set(protocol, agent);
    return agent;
  }

  return {
    async post(request) {
      request.signal.throwIfAborted();
      const body = typeof request.body === "string" ? [Buffer.from(request.body)] : request.body;
      const size = body.reduce((sum, part) => sum + part.length, 0);
      const limit = request.maxBytes ?? MAX_BYTES;
      if (size > limit) throw new ModelFault(tooLargeFault(size, limit));
      const agent = await agentFor(request.url.protocol);
      try {
        return await exchange(request, agent, body, size);
      } catch (error) {
        if (!(error instanceof StaleSocket)) throw error;
        dropIdle(agent);
        return await exchange(request, agent, body, size);
      }
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
    },
  };
}

/** A kept connection that the server had closed before it read our request: nothing has happened, so ask again. */
class StaleSocket extends Error {}

async function exchange(request: HttpRequest, agent: Agent, body: readonly Buffer[], size: number): Promise<HttpReply> {
  const { signal, url } = request;
  signal.throwIfAborted();
  const send = url.protocol === "https:" ? (await import("node:https")).request : http.request;
  const call = send(url, { method: "POST", agent, headers: { ...request.headers, "content-length": size } });
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const abort = () => {
      reject(signal.reason);
      call.destroy();
    };
    signal.addEventListener("abort", abort, { once: true });
    call.once("response", (response) => {
      signal.removeEventListener("abort", abort);
      resolve(response);
    });
    call.on("error", (error: NodeJS.ErrnoException) => {
      signal.removeEventListener("abort", abort);
      reject(isStale(call, error) ? new StaleSocket() : new ModelFault(networkFault(error, url), { cause: error }));
    });
    for (const part of body) call.write(part);
    call.end();
  });
  const status = answer.statusCode ?? 0;
  if (status >= 300 && status < 400) {
    call.destroy();
    throw new ModelFault(redirectFault(status, answer.headers.location, url));
  }
  return replyOf(call, answer, await decoded(answer), request);
}

function replyOf(
  call: ClientRequest,
  answer: IncomingMessage,
  stream: Awaited<ReturnType<typeof decoded>>,
  { url, signal }: HttpRequest,
): HttpReply {
  const chunks = createChunks(stream, (error) => new ModelFault(networkFault(error, url), { cause: error }));
  const abort = () => {
    chunks.fail(signal.reason);
    call.destroy();
  };
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  stream.once("close", () => signal.removeEventListener("abort", abort));
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    read: () => chunks.read(),
    text: (limit, ms) => readText(chunks, limit, ms).finally(() => call.destroy()),
    release() {
      signal.removeEventListener("abort", abort);
      if (answer.complete) return void stream.resume();
      const timer = setTimeout(() => call.destroy(), LINGER_MS).unref();
      stream.once("close", () => clearTimeout(timer));
      stream.resume();
    },
    drop() {
      signal.removeEventListener("abort", abort);
      call.destroy();
    },
  };
}

async function readText(chunks: Chunks, limit: number, ms: number): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, ms, undefined).unref());
  while (size < limit) {
    // A cut error body still tells more than nothing; an abort is what the caller waits for.
    const batch = await Promise.race([chunks.read(), late]).catch((error: unknown) => {
      if (error instanceof ModelFault) return undefined;
      throw error;
    });
    if (!batch) break;
    for (const part of batch) size += part.length;
    parts.push(...batch);
  }
  return Buffer.concat(parts).subarray(0, limit).toString("utf8");
}

function isStale(call: ClientRequest, error: NodeJS.ErrnoException): boolean {
  return call.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
}

function dropIdle(agent: Agent): void {
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
}

function proxied(env: HttpOptions["env"]): boolean {
  return ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"].some((name) => env?.[name]);
}
