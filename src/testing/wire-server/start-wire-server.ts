// A scripted model behind real HTTP. One script, any wire: what is asked decides in which wire the answer is given.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { frameMaker } from "./reply-frames.ts";
import type { Script } from "./script.ts";
import { sendAnswer, sendFailure, type Answering } from "./send-answer.ts";
import { stepSource } from "./step-source.ts";
import type { Step } from "./step.ts";
import { wireRequest, type WireRequest } from "./wire-request.ts";
import { wireOf, wires } from "./wires/wires.ts";

export type WireServerOptions = {
  readonly port?: number;
  /** Characters in a piece of text or arguments. Default 12. */
  readonly chunkSize?: number;
  readonly newline?: "lf" | "crlf";
  /** Refuse, as the real services do, a history that they would not take. Default true. */
  readonly strict?: boolean;
  /** Keep the requests. Default true; a long benchmark does without. */
  readonly record?: boolean;
  /** Begins the number in ids, for tests that start several servers for one session. */
  readonly ids?: string;
  /** Also answer GET /__requests and GET /__finish, for a server in a process of its own. */
  readonly control?: boolean;
};

export interface WireServer extends AsyncDisposable {
  readonly url: string;
  /** Every request so far, in order of arrival. */
  readonly requests: readonly WireRequest[];
  /** How many requests came, kept or not. */
  readonly count: number;
  /** For a child process that shall talk to this server. */
  readonly env: Readonly<Record<string, string>>;
  /** Throws when a request was not expected, or a step is left over. */
  finish(): void;
  close(): Promise<void>;
}

export async function startWireServer(script: Script, options: WireServerOptions = {}): Promise<WireServer> {
  const { chunkSize = 12, newline = "lf", strict = true, record = true, ids = "" } = options;
  const source = stepSource(script);
  const frames = frameMaker({ chunkSize, newline });
  const requests: WireRequest[] = [];
  const unexpected: string[] = [];
  let count = 0;

  const server = createServer((incoming, response) => {
    const { path, isControl } = addressOf(incoming);
    if (options.control && isControl) return control(path, response);
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      answer(incoming, path, Buffer.concat(chunks), response).catch((error: unknown) => {
        unexpected.push(`${incoming.method} ${path}: could not be answered: ${String(error)}`);
        response.destroy();
      });
    });
    incoming.on("error", () => response.destroy());
  });
  // A kept-alive connection must not be closed by us while a client is about to use it again.
  server.keepAliveTimeout = 120_000;

  async function answer(incoming: IncomingMessage, path: string, raw: Buffer, response: ServerResponse): Promise<void> {
    const number = (count += 1);
    const wire = wireOf(path);
    const gone = new AbortController();
    let hungUp = false;
    response.on("close", () => gone.abort(new Error("the connection was closed")));
    const name = `request ${number} (${incoming.method} ${path})`;
    if (!wire || incoming.method !== "POST") {
      unexpected.push(`${name}: no wire is spoken there`);
      const known = wires[0] as Answering["wire"];
      return sendFailure(
        response,
        { what: 404, message: `${name}: no wire is spoken there` },
        { wire: known, number: "" },
      );
    }
    const headers = incoming.headers as Record<string, string>;
    const aborted = (): boolean => gone.signal.aborted && !hungUp && !response.writableFinished;
    const request = wireRequest({ number, wire, path, headers, raw, aborted });
    if (record) requests.push(request);
    const numbered = `${ids}${String(number).padStart(8 - ids.length, "0")}`;

    const problem = problemOf(request, strict ? wire.invalid : undefined);
    const step = problem ?? source.next(request);
    if (typeof step === "string") {
      unexpected.push(`${name}: ${step}`);
      return sendFailure(response, { what: 400, message: `Unexpected ${name}: ${step}` }, { wire, number: numbered });
    }
    const answering = { wire, request, number: numbered, frames, newline, signal: gone.signal };
    try {
      await sendAnswer(response, step, answering);
      hungUp = hangsUp(step);
    } catch (error) {
      if (!gone.signal.aborted) throw error;
    }
  }

  function problems(): string[] {
    return [
      ...unexpected.map((what) => `unexpected: ${what}`),
      ...source.leftOver().map((what) => `left over: ${what}`),
    ];
  }

  function control(path: string, response: ServerResponse): void {
    const found = path === "/__finish" ? problems() : [];
    const brief = requests.map(({ number, wire, size, at, aborted }) => ({ number, wire, size, at, aborted }));
    const body = path === "/__finish" ? { ok: found.length === 0, problems: found } : { count, requests: brief };
    response
      .writeHead(found.length === 0 ? 200 : 409, { "content-type": "application/json" })
      .end(JSON.stringify(body));
  }

  const close = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    get count() {
      return count;
    },
    env: environment(url),
    finish: () => {
      const found = problems();
      if (found.length > 0) throw new Error(`The script did not fit what happened:\n  ${found.join("\n  ")}`);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function problemOf(request: WireRequest, invalid: Answering["wire"]["invalid"] | undefined): string | undefined {
  try {
    if (!invalid) return undefined;
    const problem = invalid(request.body);
    if (problem) return `the request is not valid: ${problem}`;
    return request.wire === "gemini" || request.body.stream === true
      ? undefined
      : "only the streaming form is spoken here";
  } catch {
    return "its body is not JSON";
  }
}

/** The step itself closes the connection: not the client's doing. */
const hangsUp = (step: Step): boolean =>
  step.type === "resets" || (step.type === "reply" && (step.breaks?.how === "cut" || step.breaks?.how === "stalls"));

function addressOf(incoming: IncomingMessage): { path: string; isControl: boolean } {
  const path = (incoming.url ?? "/").split("?", 1)[0] ?? "/";
  return { path, isControl: incoming.method === "GET" && (path === "/__requests" || path === "/__finish") };
}

const environment = (url: string): Record<string, string> => ({
  ANTHROPIC_API_KEY: "sk-ant-sous-test",
  ANTHROPIC_BASE_URL: url,
  OPENAI_API_KEY: "sk-sous-test",
  OPENAI_BASE_URL: `${url}/v1`,
  GEMINI_API_KEY: "sous-test",
  GOOGLE_GEMINI_BASE_URL: url,
});
