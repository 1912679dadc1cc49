import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { ModelFault, type Fault } from "../../core/model-fault.ts";
import type { Model, ModelPart, ModelRequest } from "../../ports/model.ts";
import { cut, says } from "../../testing/wire-server/script.ts";
import { startWireServer } from "../../testing/wire-server/start-wire-server.ts";
import { createHttp } from "./http.ts";
import { createKeySource } from "./keys.ts";
import { createModel, type ModelOptions } from "./providers.ts";

const request: ModelRequest = {
  system: "",
  messages: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
  tools: [],
};
const never = (): AbortSignal => new AbortController().signal;

async function serve(handler: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(
    (incoming, response) => void incoming.resume().on("end", () => handler(incoming, response)),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const make = (baseURL: string, more: Partial<ModelOptions> = {}): Promise<Model> =>
  createModel({
    provider: { name: "anthropic", api: "anthropic", baseURL },
    model: "claude-sonnet-5-5",
    http: createHttp(),
    keys: createKeySource({ value: "sk-1" }),
    newId: () => "call_new",
    ...more,
  });

async function collect(model: Model): Promise<ModelPart[]> {
  const parts: ModelPart[] = [];
  for await (const part of model.stream(request, never())) parts.push(part);
  return parts;
}

async function faultOf(model: Model): Promise<Fault> {
  const error: unknown = await collect(model).catch((caught: unknown) => caught);
  if (error instanceof ModelFault) return error.fault;
  throw new Error(`expected a fault, got ${String(error)}`);
}

const sse = (...events: { type: string; [field: string]: unknown }[]): string =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
const whole = sse(
  { type: "message_start", message: { model: "m", usage: { input_tokens: 1 } } },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } },
  { type: "message_stop" },
);
const stream = { "content-type": "text/event-stream" };

test("X6: a failed attempt carries what the provider has billed for it", async () => {
  await using server = await startWireServer([cut({}, says("words ".repeat(20), { usage: { inputTokens: 77 } }))]);
  expect(await faultOf(await make(server.url))).toMatchObject({ code: "network", usage: { inputTokens: 77 } });
});

test("a reply is whole at the wire's own end, even when the server keeps the body open", async () => {
  const url = await serve((_request, response) => void response.writeHead(200, stream).write(whole));
  const began = performance.now();
  expect((await collect(await make(url))).at(-1)).toMatchObject({ type: "reply", reply: { finish: "stop" } });
  expect(performance.now() - began).toBeLessThan(800);
});

test("what comes after the wire's end is not looked at", async () => {
  const url = await serve(
    (_request, response) => void response.writeHead(200, stream).end(`${whole}data: {]\n\n${whole}`),
  );
  const parts = await collect(await make(url));
  expect(parts.filter((part) => part.type === "reply")).toHaveLength(1);
  expect(parts.filter((part) => part.type === "text")).toEqual([{ type: "text", text: "Hi" }]);
});

test("turns share one connection, also when a body ends a little after the wire's end", async () => {
  const sockets = new Set<unknown>();
  const url = await serve((incoming, response) => {
    sockets.add(incoming.socket);
    response.writeHead(200, stream).write(whole);
    setTimeout(() => response.end(), 5);
  });
  const model = await make(url);
  for (let n = 0; n < 5; n++) {
    await collect(model);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(sockets.size).toBe(1);
});

test("a reader that goes away ends the request", async () => {
  let closed = false;
  const url = await serve((_request, response) => {
    response.on("close", () => (closed = true));
    response.writeHead(200, stream).write(whole.slice(0, -60));
  });
  for await (const part of (await make(url)).stream(request, never())) if (part.type === "text") break;
  await expect.poll(() => closed).toBe(true);
});

test("an error that comes as JSON with status 200 is told by its content", async () => {
  const body = JSON.stringify({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } });
  const url = await serve(
    (_request, response) => void response.writeHead(200, { "content-type": "application/json" }).end(body),
  );
  expect(await faultOf(await make(url))).toMatchObject({
    code: "overloaded",
    message: "anthropic reported Overloaded",
  });
});

test("JSON with status 200 that is no error is not a reply", async () => {
  const url = await serve(
    (_request, response) => void response.writeHead(200, { "content-type": "application/json" }).end("{}"),
  );
  const fault = await faultOf(await make(url));
  expect(fault).toMatchObject({ code: "incomplete", status: 200 });
  expect(fault.message).toContain("got application/json");
});

test("P.L07: a request over the limit is refused with its size and never sent", async () => {
  await using server = await startWireServer([]);
  const fault = await faultOf(await make(server.url, { maxBytes: 100 }));
  expect(fault.code).toBe("too-large");
  expect(server.count).toBe(0);
});

test("a server that wants no key gets none", async () => {
  await using server = await startWireServer([says("Hi")]);
  const provider = { name: "local", api: "openai-chat", baseURL: server.url, keyOptional: true } as const;
  await collect(await make(server.url, { provider, keys: createKeySource({}) }));
  expect(server.requests[0]?.headers["authorization"]).toBeUndefined();
});

test("a base URL that is none, and a key that cannot be one, are told without a request", async () => {
  await expect(make("localhost:11434")).rejects.toThrow(/not an http address: localhost:11434/);
  const fault = await faultOf(await make("http://127.0.0.1:1", { keys: createKeySource({ value: "sk-1\nx: y" }) }));
  expect(fault).toMatchObject({ code: "auth", message: "the key for anthropic has characters that no key has" });
});

test("half a surrogate pair in a text does not make the request invalid", async () => {
  await using server = await startWireServer([says("Hi")]);
  const messages = [{ role: "user", content: [{ type: "text", text: "cut \ud83d" }] }] as const;
  const model = await make(server.url);
  for await (const part of model.stream({ ...request, messages }, never())) if (part.type === "reply") break;
  expect(server.requests[0]?.text).toContain("cut \ufffd");
});

test("many requests at once share the model and do not mix", async () => {
  const url = await serve((incoming, response) => {
    const words = incoming.socket.remotePort;
    response.writeHead(200, stream).end(whole.replace('"Hi"', `"${words}"`));
  });
  const model = await make(url);
  const all = await Promise.all(Array.from({ length: 100 }, () => collect(model)));
  for (const parts of all) {
    const said = parts.filter((part) => part.type === "text").map((part) => part.text);
    expect(parts.at(-1)).toMatchObject({ reply: { content: [{ type: "text", text: said.join("") }] } });
  }
});
