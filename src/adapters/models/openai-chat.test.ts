import { describe, expect, test } from "vitest";
import { text } from "../../core/messages.ts";
import { createChatBody } from "./openai-chat-request.ts";
import { createChatReader } from "./openai-chat-reader.ts";
import { openaiChatWire } from "./openai-chat.ts";
import { conversation, parsed, requestOf } from "./request-fixture.ts";

const site = { provider: "local", model: "qwen", keyFrom: "K", baseFrom: "B" };
const wireImage = { type: "image_url", image_url: { url: "data:image/png;base64,aW1n" } };
const own = [{ type: "reasoning", text: "Hm", by: "local", opaque: { field: "reasoning_content" } }] as const;
const fn = (id: string, name: string, args: string) => ({ id, type: "function", function: { name, arguments: args } });

test("a request is exactly what a compatible server takes", () => {
  const more = { effort: "max", temperature: 0.2, maxOutputTokens: 500, cacheKey: "s1" } as const;
  expect(parsed(createChatBody("local", "qwen", false)(requestOf(conversation(own), more)))).toEqual({
    model: "qwen",
    stream: true,
    stream_options: { include_usage: true },
    reasoning_effort: "high",
    temperature: 0.2,
    max_tokens: 500,
    tools: [
      {
        type: "function",
        function: {
          name: "Read",
          description: "Reads a file",
          parameters: { type: "object", properties: { file_path: { type: "string" } }, required: ["file_path"] },
        },
      },
      {
        type: "function",
        function: {
          name: "Bash",
          description: "Runs a command",
          parameters: { type: "object", properties: { command: { type: "string" } } },
        },
      },
    ],
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: [{ type: "text", text: "Look at this" }, wireImage] },
      {
        role: "assistant",
        content: "I look.",
        reasoning_content: "Hm",
        tool_calls: [fn("c1", "Read", '{"file_path":"a"}'), fn("c2", "Bash", '{"malformed_arguments":"{\\"command"}')],
      },
      { role: "tool", tool_call_id: "c1", content: "contents" },
      { role: "tool", tool_call_id: "c2", content: "not JSON" },
      { role: "user", content: [{ type: "text", text: "Images from the tool results above:" }, wireImage] },
      { role: "user", content: "Go on" },
    ],
  });
});

test("OpenAI itself gets its own names for limits and caches, and no temperature for a reasoning model", () => {
  const more = { temperature: 0.2, maxOutputTokens: 500, cacheKey: "s1", effort: "none" } as const;
  const body = createChatBody("openai", "gpt-6-luna", true)(requestOf([{ role: "user", content: [text("Hi")] }], more));
  const { tools: _, messages: __, ...settings } = parsed(body) as Record<string, unknown>;
  expect(settings).toEqual({
    model: "gpt-6-luna",
    stream: true,
    stream_options: { include_usage: true },
    reasoning_effort: "none",
    max_completion_tokens: 500,
    prompt_cache_key: "s1",
  });
});

test("the address is right however the base URL is written, also with a version of the server's own", () => {
  for (const base of ["http://h", "http://h/", "http://h/v1", "http://h/v1/"]) {
    expect(openaiChatWire(site, base, false).url.href).toBe("http://h/v1/chat/completions");
  }
  expect(openaiChatWire(site, "http://h/api/paas/v4", false).url.href).toBe("http://h/api/paas/v4/chat/completions");
  expect(openaiChatWire(site, "http://h", false).headers(undefined)).toEqual({});
});

describe("a reader", () => {
  const read = (events: (object | string)[]) => {
    const reader = createChatReader(site);
    for (const event of events) reader.event(typeof event === "string" ? event : JSON.stringify(event), "", []);
    return reader.reply();
  };
  const delta = (change: object, finish_reason: string | null = null) => ({
    choices: [{ delta: change, finish_reason }],
  });
  const call = (piece: object) => delta({ tool_calls: [piece] });

  test("takes a stream that never sends [DONE], once its finish_reason came", () => {
    expect(read([delta({ content: "Hi" }), delta({}, "stop")])).toMatchObject({
      content: [{ text: "Hi" }],
      finish: "stop",
    });
  });

  test("does not take [DONE] for the end of a reply that had no finish_reason", () => {
    expect(read([delta({ content: "Hi" }), "[DONE]"])).toEqual({
      missing: "local: the stream ended with [DONE] before finish_reason",
    });
  });

  test("keeps parallel calls apart when a server gives all of them the same index", () => {
    const events = [
      call({ index: 0, id: "a", function: { name: "Read", arguments: '{"n":1}' } }),
      call({ index: 0, id: "b", function: { name: "Read", arguments: '{"n":2}' } }),
      delta({}, "stop"),
    ];
    expect(read(events)).toMatchObject({
      finish: "calls",
      content: [
        { call: "a", input: { n: 1 } },
        { call: "b", input: { n: 2 } },
      ],
    });
  });

  test("puts the pieces of a call together without index or id, and takes arguments given as an object", () => {
    const events = [
      call({ id: "a", function: { name: "Read", arguments: '{"n"' } }),
      call({ index: 1, id: "b", function: { name: "Read", arguments: { n: 2 } } }),
      delta({}, "tool_calls"),
    ];
    expect(read(events)).toMatchObject({ content: [{ type: "bad-call", raw: '{"n"' }, { input: { n: 2 } }] });
    const loose = [
      call({ function: { name: "Read", arguments: '{"n"' } }),
      call({ function: { arguments: ":3}" } }),
      delta({}, "tool_calls"),
    ];
    expect(read(loose)).toMatchObject({ content: [{ type: "call", input: { n: 3 } }] });
  });

  test("reads usage where servers put it: at the end, in each piece, or in the choice", () => {
    const usage = { prompt_tokens: 10, completion_tokens: 2, prompt_cache_hit_tokens: 4 };
    const expected = { usage: { inputTokens: 6, outputTokens: 2, cacheReadTokens: 4, cacheWriteTokens: 0 } };
    expect(read([delta({}, "stop"), { choices: [], usage }])).toMatchObject(expected);
    expect(read([{ choices: [{ delta: {}, finish_reason: "stop", usage }] }])).toMatchObject(expected);
  });

  test("a reply that ends in an error is none", () => {
    expect(() => read([delta({}, "error")])).toThrow(/finish_reason error/);
    expect(() => read([{ error: { code: 502, message: "upstream died" } }])).toThrow("local reported upstream died");
  });

  test("takes a text that comes as a list of parts", () => {
    const content = [{ type: "text", text: "Hi" }];
    expect(read([delta({ content }, "stop")])).toMatchObject({ content: [{ type: "text", text: "Hi" }] });
  });

  test("reads reasoning from one field where a server fills two with the same", () => {
    const events = [delta({ reasoning: "Hm", reasoning_content: "Hm" }), delta({ content: "Hi" }, "stop")];
    expect(read(events)).toMatchObject({
      content: [{ type: "reasoning", text: "Hm", by: "local", opaque: { field: "reasoning_content" } }, { text: "Hi" }],
    });
  });
});
