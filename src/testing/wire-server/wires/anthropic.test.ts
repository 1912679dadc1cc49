import { expect, test } from "vitest";
import { call, malformedCall, refuses, replies, says } from "../script.ts";
import { startWireServer } from "../start-wire-server.ts";
import { ask, sse } from "../test-client.ts";

const usage = { input_tokens: 7, cache_creation_input_tokens: 5, cache_read_input_tokens: 3 };

test("an Anthropic reply is the sequence of events of the real service", async () => {
  const step = replies({
    thinks: "Let me see.",
    says: "I read both files.",
    calls: [call("Read", { file_path: "a" }), call("Bash", {}, "toolu_mine")],
    usage: { inputTokens: 7, outputTokens: 40, cacheReadTokens: 3, cacheWriteTokens: 5, reasoningTokens: 4 },
  });
  await using server = await startWireServer([step]);
  const seen = await ask(server.url, "anthropic");
  server.finish();
  expect(seen.headers["content-type"]).toBe("text/event-stream; charset=utf-8");
  expect(seen.headers["request-id"]).toBe("req_01Sous00000001");
  const events = sse(seen.text);
  expect(events.every(({ event, data }) => event === (data as { type: string }).type)).toBe(true);
  const blockDelta = (index: number, delta: object) => ({ type: "content_block_delta", index, delta });
  expect(events.map(({ data }) => data)).toEqual([
    {
      type: "message_start",
      message: {
        model: "claude-1",
        id: "msg_01Sous00000001",
        type: "message",
        role: "assistant",
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: {
          ...usage,
          cache_creation: { ephemeral_5m_input_tokens: 5, ephemeral_1h_input_tokens: 0 },
          output_tokens: 1,
          service_tier: "standard",
        },
      },
    },
    { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "", signature: "" } },
    { type: "ping" },
    blockDelta(0, { type: "thinking_delta", thinking: "Let me see." }),
    blockDelta(0, { type: "signature_delta", signature: "SousSign00000001" }),
    { type: "content_block_stop", index: 0 },
    { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
    blockDelta(1, { type: "text_delta", text: "I read both " }),
    blockDelta(1, { type: "text_delta", text: "files." }),
    { type: "content_block_stop", index: 1 },
    {
      type: "content_block_start",
      index: 2,
      content_block: { type: "tool_use", id: "toolu_01Sous000000011", name: "Read", input: {} },
    },
    blockDelta(2, { type: "input_json_delta", partial_json: "" }),
    blockDelta(2, { type: "input_json_delta", partial_json: '{"file_path"' }),
    blockDelta(2, { type: "input_json_delta", partial_json: ':"a"}' }),
    { type: "content_block_stop", index: 2 },
    {
      type: "content_block_start",
      index: 3,
      content_block: { type: "tool_use", id: "toolu_mine", name: "Bash", input: {} },
    },
    blockDelta(3, { type: "input_json_delta", partial_json: "" }),
    blockDelta(3, { type: "input_json_delta", partial_json: "{}" }),
    { type: "content_block_stop", index: 3 },
    {
      type: "message_delta",
      delta: { stop_reason: "tool_use", stop_sequence: null },
      usage: { ...usage, output_tokens: 40, output_tokens_details: { thinking_tokens: 4 } },
    },
    { type: "message_stop" },
  ]);
});

test("an Anthropic reply ends with the stop reason of the real service", async () => {
  const steps = [
    says("a"),
    says("a", { finish: "length" }),
    replies({ finish: "refused" }),
    refuses("No."),
    replies({ calls: [malformedCall("Read", '{"file_path')] }),
  ];
  await using server = await startWireServer(steps);
  const last = async (): Promise<unknown> => {
    const events = sse((await ask(server.url, "anthropic")).text);
    return (events.at(-2)?.data as { delta?: unknown } | undefined)?.delta;
  };
  expect(await last()).toEqual({ stop_reason: "end_turn", stop_sequence: null });
  expect(await last()).toEqual({ stop_reason: "max_tokens", stop_sequence: null });
  const details = { type: "refusal", category: null };
  const refusal = { stop_reason: "refusal", stop_sequence: null };
  expect(await last()).toEqual({ ...refusal, stop_details: { ...details, explanation: null } });
  expect(await last()).toEqual({ ...refusal, stop_details: { ...details, explanation: "No." } });
  expect(await last()).toEqual({ stop_reason: "tool_use", stop_sequence: null });
  server.finish();
});
