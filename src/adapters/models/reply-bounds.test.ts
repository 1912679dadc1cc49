import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { ModelFault, type Fault } from "../../core/model-fault.ts";
import type { ModelPart } from "../../ports/model.ts";
import { createHttp } from "./http.ts";
import { createKeySource } from "./keys.ts";
import { createModel, type Api } from "./providers.ts";

type Event = Record<string, unknown>;
const piece = "words ".repeat(400);

/** What each wire says before, and then again and again without an end. */
const endless: readonly (readonly [api: Api, what: string, begin: readonly Event[], again: (n: number) => Event])[] = [
  [
    "anthropic",
    "text",
    [{ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }],
    () => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: piece } }),
  ],
  [
    "anthropic",
    "thinking",
    [{ type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } }],
    () => ({ type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: piece } }),
  ],
  [
    "anthropic",
    "arguments",
    [{ type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "a", name: "Bash" } }],
    () => ({ type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: piece } }),
  ],
  [
    "anthropic",
    "blocks",
    [],
    (n) => ({
      type: "content_block_start",
      index: n % 10_000,
      content_block: { type: "tool_use", id: `${n}`, name: piece },
    }),
  ],
  [
    "anthropic",
    "single letters",
    [{ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }],
    () => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "x" } }),
  ],
  ["openai-chat", "text", [], () => ({ choices: [{ delta: { content: piece } }] })],
  ["openai-chat", "reasoning", [], () => ({ choices: [{ delta: { reasoning_content: piece } }] })],
  [
    "openai-chat",
    "arguments",
    [],
    () => ({ choices: [{ delta: { tool_calls: [{ index: 0, id: "a", function: { arguments: piece } }] } }] }),
  ],
  [
    "openai-chat",
    "calls",
    [],
    (n) => ({ choices: [{ delta: { tool_calls: [{ index: n, id: `${n}`, function: { name: "x" } }] } }] }),
  ],
  ["openai-responses", "text", [], () => ({ type: "response.output_text.delta", delta: piece })],
  ["openai-responses", "arguments", [], () => ({ type: "response.function_call_arguments.delta", delta: piece })],
  [
    "openai-responses",
    "items",
    [],
    (n) => ({
      type: "response.output_item.done",
      output_index: n % 10_000,
      item: { type: "function_call", call_id: `${n}`, name: piece },
    }),
  ],
  ["google", "text", [], () => ({ candidates: [{ content: { parts: [{ text: piece }] } }] })],
  [
    "google",
    "calls",
    [],
    (n) => ({ candidates: [{ content: { parts: [{ functionCall: { name: `x${n}`, args: { piece } } }] } }] }),
  ],
];

/** Sends until nobody listens; `closed` tells that. */
async function speaking(begin: readonly Event[], again: (n: number) => Event) {
  let closed = (): void => {};
  const over = new Promise<void>((resolve) => (closed = resolve));
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.on("close", closed);
    const send = (event: Event): boolean =>
      response.write(`event: ${String(event["type"] ?? "x")}\ndata: ${JSON.stringify(event)}\n\n`);
    begin.forEach(send);
    let n = 0;
    const more = (): void => {
      while (!response.destroyed && send(again(n++)));
      if (!response.destroyed) response.once("drain", more);
    };
    more();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, over };
}

async function ask(api: Api, baseURL: string, mostReplyChars?: number): Promise<Fault | ModelPart[]> {
  const model = await createModel({
    provider: { name: "acme", api, baseURL },
    model: "m",
    http: createHttp(),
    keys: createKeySource({ value: "k" }),
    newId: () => "new",
    ...(mostReplyChars !== undefined && { mostReplyChars }),
  });
  const parts: ModelPart[] = [];
  const request = { system: "", messages: [], tools: [] };
  try {
    for await (const part of model.stream(request, new AbortController().signal)) parts.push(part);
    return parts;
  } catch (error) {
    if (error instanceof ModelFault) return error.fault;
    throw error;
  }
}

describe("P.U02: a reply that never ends", () => {
  test.each(endless)(
    "over %s in %s is cut off with a clear error that is not tried again",
    async (api, _what, begin, again) => {
      const { baseURL, over } = await speaking(begin, again);
      expect(await ask(api, baseURL, 1024 * 1024)).toMatchObject({
        code: "too-long",
        message: "acme sent a reply of more than 1 MB; it was cut off",
        remedy: expect.stringContaining("ask for less"),
      });
      await over;
    },
  );

  test("is bounded without any setting, in memory of about its bound", async () => {
    const [, , begin, again] = endless[2]!;
    const { baseURL } = await speaking(begin, again);
    const before = process.memoryUsage().rss;
    expect(await ask("anthropic", baseURL)).toMatchObject({
      code: "too-long",
      message: expect.stringContaining("32 MB"),
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
  }, 30_000);

  test.each([["anthropic"], ["openai-responses"]] as const)(
    "over %s with a part at no possible place freezes nothing",
    async (api) => {
      for (const place of [1e9, -1, 0.5, "x"]) {
        const event =
          api === "anthropic"
            ? { type: "content_block_start", index: place, content_block: { type: "text" } }
            : { type: "response.output_item.done", output_index: place, item: {} };
        const { baseURL } = await speaking([event], () => ({ type: "ping" }));
        const began = performance.now();
        expect(await ask(api, baseURL), String(place)).toMatchObject({ code: "incomplete" });
        expect(performance.now() - began).toBeLessThan(2_000);
      }
    },
  );
});

test("P.L04: a reply with more calls than anybody makes at once is refused, and none of them is acted on", async () => {
  const calls = Array.from({ length: 5_000 }, (_, index) => ({
    index,
    id: `c${index}`,
    function: { name: "Bash", arguments: "{}" },
  }));
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(
      `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: calls }, finish_reason: "tool_calls" }] })}\n\ndata: [DONE]\n\n`,
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  expect(await ask("openai-chat", `http://127.0.0.1:${(server.address() as AddressInfo).port}`)).toMatchObject({
    code: "too-long",
    message: "acme sent a reply with 5000 tool calls, of which at most 4096 are taken; it was cut off",
  });
});

test("P.L03: an error answer names its status, type and size and repeats at most a line of itself", async () => {
  for (const [status, type, body, said] of [
    [
      500,
      "application/json",
      JSON.stringify({ error: { type: "api_error", message: "x".repeat(9_000) } }),
      /^acme answered 500 \(api_error, 90\d\d characters\): x+…$/,
    ],
    [
      502,
      "text/html",
      `<html>${"<p>no</p>".repeat(20_000)}`,
      /^acme answered 502 \(more than 65536 characters\): an HTML page$/,
    ],
    [503, "text/plain", "y".repeat(2_000), /^acme answered 503 \(2000 characters\): y+…$/],
  ] as const) {
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(status, { "content-type": type });
      response.end(body);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const fault = (await ask("anthropic", `http://127.0.0.1:${(server.address() as AddressInfo).port}`)) as Fault;
    expect(fault.message).toMatch(said);
    expect(fault.message.length).toBeLessThan(400);
  }
});
