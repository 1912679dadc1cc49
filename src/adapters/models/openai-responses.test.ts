import { describe, expect, test } from "vitest";
import { text, type Message } from "../../core/messages.ts";
import { createResponsesBody } from "./openai-responses-request.ts";
import { createResponsesReader } from "./openai-responses-reader.ts";
import { openaiResponsesWire } from "./openai-responses.ts";
import { conversation, parsed, requestOf } from "./request-fixture.ts";

const site = { provider: "openai", model: "gpt-6.1-terra", keyFrom: "K", baseFrom: "B" };
const item = {
  type: "reasoning",
  id: "rs_1",
  summary: [{ type: "summary_text", text: "Hm" }],
  encrypted_content: "enc",
};
const own = [
  { type: "reasoning", text: "Hm", by: "openai", opaque: item },
  { type: "reasoning", text: "", by: "openai", opaque: { phase: "commentary" } },
] as const;
const wireImage = { type: "input_image", detail: "auto", image_url: "data:image/png;base64,aW1n" };

test("a request is exactly what OpenAI Responses takes", () => {
  const body = createResponsesBody("openai", "gpt-6.1-terra");
  const more = { effort: "high", temperature: 0.2, maxOutputTokens: 5, cacheKey: "k".repeat(80) } as const;
  expect(parsed(body(requestOf(conversation(own), more)))).toEqual({
    model: "gpt-6.1-terra",
    stream: true,
    store: false,
    include: ["reasoning.encrypted_content"],
    reasoning: { effort: "high", summary: "auto" },
    max_output_tokens: 16,
    prompt_cache_key: "k".repeat(64),
    instructions: "Be brief.",
    tools: [
      {
        type: "function",
        name: "Read",
        description: "Reads a file",
        parameters: { type: "object", properties: { file_path: { type: "string" } }, required: ["file_path"] },
        strict: false,
      },
      {
        type: "function",
        name: "Bash",
        description: "Runs a command",
        parameters: { type: "object", properties: { command: { type: "string" } } },
        strict: false,
      },
    ],
    input: [
      { role: "user", content: [{ type: "input_text", text: "Look at this" }, wireImage] },
      item,
      { role: "assistant", content: [{ type: "output_text", text: "I look." }], phase: "commentary" },
      { type: "function_call", call_id: "c1", name: "Read", arguments: '{"file_path":"a"}' },
      { type: "function_call", call_id: "c2", name: "Bash", arguments: '{"malformed_arguments":"{\\"command"}' },
      { type: "function_call_output", call_id: "c1", output: [{ type: "input_text", text: "contents" }, wireImage] },
      { type: "function_call_output", call_id: "c2", output: "not JSON" },
      { role: "user", content: [{ type: "input_text", text: "Go on" }] },
    ],
  });
});

test("a model that does not reason is not asked about reasoning, and takes a temperature", () => {
  const body = createResponsesBody("openai", "gpt-4.1-mini");
  const sent = parsed(body(requestOf([{ role: "user", content: [text("Hi")] }], { effort: "high", temperature: 0.2 })));
  expect(Object.keys(sent as object)).toEqual([
    "model",
    "stream",
    "store",
    "temperature",
    "instructions",
    "tools",
    "input",
  ]);
});

test("reasoning that led to nothing is left out: the provider refuses it", () => {
  const messages: Message[] = [
    { role: "user", content: [text("Hi")] },
    { role: "assistant", content: [own[0]] },
  ];
  const sent = parsed(createResponsesBody("openai", "gpt-6.1-terra")(requestOf(messages)));
  expect((sent as { input: unknown[] }).input).toHaveLength(1);
});

test("the address is right however the base URL is written", () => {
  for (const base of ["http://h", "http://h/", "http://h/v1", "http://h/v1/"]) {
    expect(openaiResponsesWire(site, base).url.href).toBe("http://h/v1/responses");
  }
  expect(openaiResponsesWire(site).headers("sk-1")).toEqual({ authorization: "Bearer sk-1" });
});

describe("a reader", () => {
  const read = (events: object[]) => {
    const reader = createResponsesReader(site);
    const out: unknown[] = [];
    for (const event of events) reader.event(JSON.stringify(event), "", out as never);
    return { reply: reader.reply(), out };
  };
  const done = (finished: object, output_index = 0) => ({
    type: "response.output_item.done",
    output_index,
    item: finished,
  });
  const completed = { type: "response.completed", response: { model: "m", status: "completed" } };

  test("keeps encrypted reasoning whole, the phase of a text, and the order of items", () => {
    const message = { type: "message", phase: "final_answer", content: [{ type: "output_text", text: "Hi" }] };
    const { reply } = read([done(message, 1), done({ ...item, status: "completed" }, 0), completed]);
    expect(reply).toMatchObject({
      content: [
        { type: "reasoning", text: "Hm", by: "openai", opaque: item },
        { type: "reasoning", text: "", by: "openai", opaque: { phase: "final_answer" } },
        { type: "text", text: "Hi" },
      ],
    });
  });

  test("does not pretend that reasoning without its cipher can be sent back", () => {
    const { reply } = read([done({ ...item, encrypted_content: null }), completed]);
    expect(reply).toMatchObject({ content: [{ type: "reasoning", text: "Hm" }] });
    expect(JSON.stringify(reply)).not.toContain("rs_1");
  });

  test("takes the items from the response's end when none came before", () => {
    const output = [{ type: "message", content: [{ type: "output_text", text: "Hi" }] }];
    const { reply } = read([{ type: "response.completed", response: { output } }]);
    expect(reply).toMatchObject({ content: [{ type: "text", text: "Hi" }], finish: "stop" });
  });

  test("parts a summary of several paragraphs", () => {
    const delta = (words: string) => ({ type: "response.reasoning_summary_text.delta", delta: words });
    const part = (summary_index: number) => ({ type: "response.reasoning_summary_part.added", summary_index });
    const { out } = read([part(0), delta("a"), part(1), delta("b"), completed]);
    expect(out.filter((one) => (one as { type: string }).type === "reasoning")).toMatchObject([
      { text: "a" },
      { text: "\n\n" },
      { text: "b" },
    ]);
  });

  test("response.failed is a fault in the provider's words", () => {
    const failed = {
      type: "response.failed",
      response: { error: { code: "rate_limit_exceeded", message: "Slow down" } },
    };
    expect(() => read([failed])).toThrow("openai reported Slow down");
  });
});
