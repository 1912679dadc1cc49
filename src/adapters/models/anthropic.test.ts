import { describe, expect, test } from "vitest";
import type { Effort } from "../../ports/model.ts";
import { text, type Message } from "../../core/messages.ts";
import { createAnthropicBody } from "./anthropic-request.ts";
import { createAnthropicReader } from "./anthropic-reader.ts";
import { anthropicWire } from "./anthropic.ts";
import { conversation, parsed, requestOf } from "./request-fixture.ts";

const site = { provider: "anthropic", model: "claude-sonnet-5-5", keyFrom: "K", baseFrom: "B" };
const mark = { cache_control: { type: "ephemeral" } };
const wireImage = { type: "image", source: { type: "base64", media_type: "image/png", data: "aW1n" } };
const thinking = {
  type: "adaptive",
  display: "summarized",
  block_binding: { prefix_mismatch_behavior: "drop_block" },
};
const own = [
  { type: "reasoning", text: "Hm", by: "anthropic", opaque: { signature: "sig", model: "claude-sonnet-5-5" } },
  { type: "reasoning", text: "", by: "anthropic", opaque: { redacted: "blob", model: "claude-sonnet-5-5" } },
  { type: "reasoning", text: "old", by: "anthropic", opaque: { signature: "s", model: "claude-opus-5-5" } },
] as const;

test("a request is exactly what Anthropic takes", () => {
  const body = createAnthropicBody("anthropic", "claude-sonnet-5-5");
  expect(parsed(body(requestOf(conversation(own), { effort: "high", temperature: 0.2, cacheKey: "s1" })))).toEqual({
    model: "claude-sonnet-5-5",
    max_tokens: 64_000,
    stream: true,
    thinking,
    output_config: { effort: "high" },
    system: [{ type: "text", text: "Be brief.", ...mark }],
    tools: [
      {
        name: "Read",
        description: "Reads a file",
        input_schema: { type: "object", properties: { file_path: { type: "string" } }, required: ["file_path"] },
      },
      {
        name: "Bash",
        description: "Runs a command",
        input_schema: { type: "object", properties: { command: { type: "string" } } },
      },
    ],
    messages: [
      { role: "user", content: [{ type: "text", text: "Look at this" }, wireImage] },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Hm", signature: "sig" },
          { type: "redacted_thinking", data: "blob" },
          { type: "text", text: "I look." },
          { type: "tool_use", id: "c1", name: "Read", input: { file_path: "a" } },
          { type: "tool_use", id: "c2", name: "Bash", input: { malformed_arguments: '{"command' } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "c1", content: [{ type: "text", text: "contents" }, wireImage] },
          {
            type: "tool_result",
            tool_use_id: "c2",
            content: [{ type: "text", text: "not JSON" }],
            is_error: true,
            ...mark,
          },
        ],
      },
      { role: "user", content: [{ type: "text", text: "Go on", ...mark }] },
    ],
  });
});

test("without a system prompt the last tool carries the cache mark; a plain request has nothing else", () => {
  const body = createAnthropicBody("anthropic", "claude-opus-4-6");
  const sent = parsed(body({ ...requestOf([{ role: "user", content: [text("Hi")] }]), system: "", temperature: 0.5 }));
  expect(sent).toMatchObject({ tools: [{ name: "Read" }, { name: "Bash", ...mark }] });
  expect(Object.keys(sent as object)).toEqual(["model", "max_tokens", "stream", "temperature", "tools", "messages"]);
});

test("however long the conversation, at most 4 cache marks are set", () => {
  const turns = Array.from({ length: 50 }, () => conversation([])).flat();
  const sent = createAnthropicBody("anthropic", "claude-sonnet-5-5")(requestOf(turns));
  expect(sent.split("cache_control").length - 1).toBe(3);
});

test("what cannot be said is left out: empty texts, empty messages", () => {
  const messages: Message[] = [
    { role: "user", content: [text(""), text("Hi")] },
    { role: "assistant", content: [{ type: "reasoning", text: "only thought" }] },
    { role: "user", content: [] },
    { role: "user", content: [text("Still there?")] },
  ];
  const sent = parsed(createAnthropicBody("anthropic", "claude-sonnet-5-5")(requestOf(messages)));
  expect((sent as { messages: unknown }).messages).toEqual([
    { role: "user", content: [{ type: "text", text: "Hi", ...mark }] },
    { role: "user", content: [{ type: "text", text: "Still there?", ...mark }] },
  ]);
});

test("each message is turned to JSON once", () => {
  let reads = 0;
  const content = [
    {
      type: "text" as const,
      get text() {
        reads += 1;
        return "Hello";
      },
    },
  ];
  const body = createAnthropicBody("anthropic", "claude-sonnet-5-5");
  const messages: Message[] = [{ role: "user", content }];
  const first = body(requestOf(messages));
  const once = reads;
  expect(body(requestOf(messages))).toBe(first);
  expect(body(requestOf([...messages, { role: "user", content: [text("More")] }]))).toContain("More");
  expect(reads).toBe(once);
});

describe("thinking and effort", () => {
  const sent = (
    model: string,
    effort?: Effort,
    messages: readonly Message[] = [{ role: "user", content: [text("Hi")] }],
  ) => {
    const body = createAnthropicBody("anthropic", model)(requestOf(messages, effort ? { effort } : {}));
    const { thinking: thinks, output_config, max_tokens } = parsed(body) as Record<string, unknown>;
    return { thinks, output_config, max_tokens };
  };
  const shown = { type: "adaptive", display: "summarized" };

  test.each([
    ["claude-opus-5-5", undefined, thinking, undefined, 32_000],
    ["claude-opus-5-5", "none", thinking, { effort: "low" }, 32_000],
    ["claude-opus-5-5", "max", thinking, { effort: "max" }, 64_000],
    ["claude-sonnet-5-5", "none", { type: "between_tools" }, undefined, 32_000],
    ["claude-haiku-5-5", "none", { type: "disabled" }, undefined, 32_000],
    ["claude-haiku-5-5", "minimal", thinking, { effort: "low" }, 32_000],
    ["claude-fable-5-1", "none", thinking, { effort: "low" }, 32_000],
    ["claude-opus-5", undefined, shown, undefined, 32_000],
    ["claude-opus-5", "none", { type: "disabled" }, undefined, 32_000],
    ["claude-opus-4-8", undefined, undefined, undefined, 32_000],
    ["claude-opus-4-6", "medium", shown, { effort: "medium" }, 32_000],
    ["claude-haiku-4-5-20251001", "low", { type: "enabled", budget_tokens: 4096 }, undefined, 32_000],
    ["claude-haiku-4-5", undefined, undefined, undefined, 32_000],
    ["claude-sonnet-4-20250514", "max", { type: "enabled", budget_tokens: 30_976 }, undefined, 32_000],
    ["claude-3-5-sonnet-20241022", "high", undefined, undefined, 8192],
    ["claude-3-haiku-20240307", "high", undefined, undefined, 4096],
    ["some-gateway-model", undefined, undefined, undefined, 32_000],
    ["some-gateway-model", "low", shown, { effort: "low" }, 32_000],
  ] as const)("%s with effort %s", (model, effort, thinks, output_config, max_tokens) => {
    expect(sent(model, effort)).toEqual({ thinks, output_config, max_tokens });
  });

  test("that is turned off leaves earlier thinking out too", () => {
    const body = createAnthropicBody("anthropic", "claude-sonnet-5-5");
    const messages = conversation(own);
    expect(body(requestOf(messages))).toContain('"signature":"sig"');
    expect(body(requestOf(messages, { effort: "none" }))).not.toMatch(/"signature"|redacted_thinking/);
    expect(body(requestOf(messages, { effort: "low" }))).toContain('"signature":"sig"');
  });

  test("a thinking budget is left out of a tool turn that another model began", () => {
    const turn = conversation([]).slice(0, 3);
    expect(sent("claude-haiku-4-5", "low", turn).thinks).toBeUndefined();
    const ours = {
      type: "reasoning",
      text: "Hm",
      by: "anthropic",
      opaque: { signature: "s", model: "claude-haiku-4-5" },
    };
    expect(sent("claude-haiku-4-5", "low", conversation([ours as never]).slice(0, 3)).thinks).toBeDefined();
  });
});

test("the address is right however the base URL is written, and the key goes where the provider wants it", () => {
  for (const base of ["http://h/x", "http://h/x/", "http://h/x/v1", "http://h/x/v1/"]) {
    expect(anthropicWire(site, base).url.href).toBe("http://h/x/v1/messages");
  }
  expect(anthropicWire(site).url.href).toBe("https://api.anthropic.com/v1/messages");
  expect(anthropicWire(site).headers("sk-1")).toEqual({
    "anthropic-version": "2023-06-01",
    "anthropic-beta": "thinking-binding-controls-2026-08-01",
    "x-api-key": "sk-1",
  });
  expect(anthropicWire({ ...site, model: "claude-opus-5" }).headers("sk-ant-oat-1")).toEqual({
    "anthropic-version": "2023-06-01",
    authorization: "Bearer sk-ant-oat-1",
  });
});

describe("a reader", () => {
  const read = (events: object[]) => {
    const reader = createAnthropicReader(site);
    for (const event of events) reader.event(JSON.stringify(event), "", []);
    return reader;
  };
  const start = { type: "message_start", message: { model: "m", usage: { input_tokens: 9, output_tokens: 1 } } };
  const stop = { type: "message_stop" };

  test("takes arguments that a server gives whole at the block's start", () => {
    const block = { type: "tool_use", id: "t", name: "Read", input: { file_path: "a" } };
    const reader = read([start, { type: "content_block_start", index: 0, content_block: block }, stop]);
    expect(reader.reply()).toMatchObject({ content: [{ type: "call", input: { file_path: "a" } }], finish: "calls" });
  });

  test("keeps redacted thinking, and thinking that shows no text", () => {
    const reader = read([
      start,
      { type: "content_block_start", index: 0, content_block: { type: "redacted_thinking", data: "blob" } },
      { type: "content_block_start", index: 1, content_block: { type: "thinking", thinking: "", signature: "" } },
      { type: "content_block_delta", index: 1, delta: { type: "signature_delta", signature: "sig" } },
      { type: "content_block_start", index: 2, content_block: { type: "something_new" } },
      { type: "content_block_delta", index: 2, delta: { type: "new_delta" } },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 5 } },
      stop,
    ]);
    expect(reader.reply()).toEqual({
      content: [
        { type: "reasoning", text: "", by: "anthropic", opaque: { redacted: "blob", model: site.model } },
        { type: "reasoning", text: "", by: "anthropic", opaque: { signature: "sig", model: site.model } },
      ],
      finish: "stop",
      usage: { inputTokens: 9, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 },
      model: "m",
    });
  });

  test("X6: tells what a failed attempt was billed", () => {
    const reader = read([start]);
    expect(reader.reply()).toEqual({ missing: "anthropic: the stream ended before message_stop" });
    expect(reader.usage()).toEqual({ inputTokens: 9, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 });
  });
});
