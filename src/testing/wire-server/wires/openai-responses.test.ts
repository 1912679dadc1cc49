import { expect, test } from "vitest";
import { call, refuses, replies, says } from "../script.ts";
import { startWireServer } from "../start-wire-server.ts";
import type { Step } from "../step.ts";
import { ask, bodyFor, sse, type Sse } from "../test-client.ts";

const response = (fields: object) => ({
  id: "resp_sous00000001",
  object: "response",
  created_at: 1_767_225_600,
  background: false,
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  model: "gpt-1",
  output: [],
  parallel_tool_calls: true,
  previous_response_id: null,
  service_tier: "default",
  store: false,
  tool_choice: "auto",
  tools: [],
  truncation: "disabled",
  usage: null,
  metadata: {},
  ...fields,
});

test("a Responses reply is the numbered sequence of events of the real service", async () => {
  const step = replies({
    thinks: "Let me see.",
    says: "I read both files.",
    calls: [call("Read", { file_path: "a" })],
    usage: { inputTokens: 7, outputTokens: 40, cacheReadTokens: 3, cacheWriteTokens: 5, reasoningTokens: 4 },
  });
  await using server = await startWireServer([step]);
  const events = sse((await ask(server.url, "openai-responses")).text);
  server.finish();
  expect(events.every(({ event, data }) => event === (data as { type: string }).type)).toBe(true);

  const proof = { encrypted_content: "gAAAAASous00000001" };
  const summary = (text: string) => ({ type: "summary_text", text });
  const rs = { item_id: "rs_sous00000001", output_index: 0, summary_index: 0 };
  const reasoned = { id: "rs_sous00000001", type: "reasoning", ...proof, summary: [summary("Let me see.")] };
  const part = (text: string) => ({ type: "output_text", annotations: [], logprobs: [], text });
  const msg = { item_id: "msg_sous00000001", output_index: 1, content_index: 0 };
  const open = { id: "msg_sous00000001", type: "message", status: "in_progress", content: [], role: "assistant" };
  const said = { ...open, status: "completed", content: [part("I read both files.")] };
  const fc = { item_id: "fc_sous000000011", output_index: 2 };
  const item = { id: "fc_sous000000011", type: "function_call", call_id: "call_sous000000011", name: "Read" };
  const called = { ...item, status: "completed", arguments: '{"file_path":"a"}' };
  const expected = [
    { type: "response.created", response: response({ status: "in_progress" }) },
    { type: "response.in_progress", response: response({ status: "in_progress" }) },
    { type: "response.output_item.added", output_index: 0, item: { ...reasoned, summary: [] } },
    { type: "response.reasoning_summary_part.added", ...rs, part: summary("") },
    { type: "response.reasoning_summary_text.delta", ...rs, delta: "Let me see." },
    { type: "response.reasoning_summary_text.done", ...rs, text: "Let me see." },
    { type: "response.reasoning_summary_part.done", ...rs, part: summary("Let me see.") },
    { type: "response.output_item.done", output_index: 0, item: reasoned },
    { type: "response.output_item.added", output_index: 1, item: open },
    { type: "response.content_part.added", ...msg, part: part("") },
    { type: "response.output_text.delta", ...msg, delta: "I read both ", logprobs: [] },
    { type: "response.output_text.delta", ...msg, delta: "files.", logprobs: [] },
    { type: "response.output_text.done", ...msg, text: "I read both files.", logprobs: [] },
    { type: "response.content_part.done", ...msg, part: part("I read both files.") },
    { type: "response.output_item.done", output_index: 1, item: said },
    { type: "response.output_item.added", output_index: 2, item: { ...item, status: "in_progress", arguments: "" } },
    { type: "response.function_call_arguments.delta", ...fc, delta: '{"file_path"' },
    { type: "response.function_call_arguments.delta", ...fc, delta: ':"a"}' },
    { type: "response.function_call_arguments.done", ...fc, arguments: '{"file_path":"a"}' },
    { type: "response.output_item.done", output_index: 2, item: called },
    {
      type: "response.completed",
      response: response({
        status: "completed",
        output: [reasoned, said, called],
        usage: {
          input_tokens: 15,
          input_tokens_details: { cached_tokens: 3, cache_write_tokens: 5 },
          output_tokens: 40,
          output_tokens_details: { reasoning_tokens: 4 },
          total_tokens: 55,
        },
      }),
    },
  ];
  expect(events.map(({ data }) => data)).toEqual(expected.map((each, n) => ({ ...each, sequence_number: n })));
});

test("a Responses reply gives its encrypted reasoning only to a request that includes it", async () => {
  await using server = await startWireServer([says("a", { thinks: "b" })]);
  const { include: _, ...body } = bodyFor("openai-responses");
  const seen = await ask(server.url, "openai-responses", { body });
  expect(seen.text).toContain('"type":"reasoning"');
  expect(seen.text).not.toContain("encrypted_content");
});

test("a Responses reply ends as the real service ends it", async () => {
  const eventsOf = async (step: Step): Promise<Sse[]> => {
    await using server = await startWireServer([step]);
    return sse((await ask(server.url, "openai-responses")).text);
  };
  const incomplete = (reason: string) => ({
    type: "response.incomplete",
    response: { incomplete_details: { reason } },
  });
  const long = await eventsOf(says("a", { finish: "length" }));
  expect(long.at(-1)?.data).toMatchObject(incomplete("max_output_tokens"));
  const filtered = await eventsOf(replies({ finish: "refused" }));
  expect(filtered.at(-1)?.data).toMatchObject(incomplete("content_filter"));
  const refused = await eventsOf(refuses("No."));
  expect(refused.map(({ event }) => event).slice(2)).toEqual([
    "response.output_item.added",
    "response.content_part.added",
    "response.refusal.delta",
    "response.refusal.done",
    "response.content_part.done",
    "response.output_item.done",
    "response.completed",
  ]);
});
