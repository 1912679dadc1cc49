import { expect, test } from "vitest";
import { call, refuses, replies, says } from "../script.ts";
import { startWireServer } from "../start-wire-server.ts";
import type { Step } from "../step.ts";
import { ask, bodyFor, sse } from "../test-client.ts";

const base = {
  id: "chatcmpl-sous00000001",
  object: "chat.completion.chunk",
  created: 1_767_225_600,
  model: "gpt-1",
  service_tier: "default",
  system_fingerprint: "fp_sous",
};

test("a Chat Completions reply is the sequence of chunks of the real service", async () => {
  const step = replies({
    thinks: "Let me see.",
    says: "I read both files.",
    calls: [call("Read", { file_path: "a" }), call("Bash", {}, "call_mine")],
    usage: { inputTokens: 7, outputTokens: 40, cacheReadTokens: 3, cacheWriteTokens: 5, reasoningTokens: 4 },
  });
  await using server = await startWireServer([step]);
  const seen = await ask(server.url, "openai-chat");
  server.finish();
  expect(seen.text).not.toContain("event:");
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...base,
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    usage: null,
  });
  const tool = (...tool_calls: object[]) => chunk({ tool_calls });
  expect(sse(seen.text).map(({ data }) => data)).toEqual([
    chunk({ role: "assistant", content: "", refusal: null }),
    chunk({ reasoning_content: "Let me see." }),
    chunk({ content: "I read both " }),
    chunk({ content: "files." }),
    tool({ index: 0, id: "call_sous000000011", type: "function", function: { name: "Read", arguments: "" } }),
    tool({ index: 0, function: { arguments: '{"file_path"' } }),
    tool({ index: 0, function: { arguments: ':"a"}' } }),
    tool({ index: 1, id: "call_mine", type: "function", function: { name: "Bash", arguments: "" } }),
    tool({ index: 1, function: { arguments: "{}" } }),
    chunk({}, "tool_calls"),
    {
      ...base,
      choices: [],
      usage: {
        prompt_tokens: 15,
        completion_tokens: 40,
        total_tokens: 55,
        prompt_tokens_details: { cached_tokens: 3, audio_tokens: 0, cache_write_tokens: 5 },
        completion_tokens_details: {
          reasoning_tokens: 4,
          audio_tokens: 0,
          accepted_prediction_tokens: 0,
          rejected_prediction_tokens: 0,
        },
      },
    },
    "[DONE]",
  ]);
});

test("a Chat Completions stream that was not asked for usage has none", async () => {
  await using server = await startWireServer([says("a")]);
  const { stream_options: _, ...body } = bodyFor("openai-chat");
  const seen = await ask(server.url, "openai-chat", { body });
  expect(seen.text).not.toContain("usage");
  expect(seen.text.endsWith("data: [DONE]\n\n")).toBe(true);
});

test("a Chat Completions reply ends with the finish reason of the real service", async () => {
  const chunksOf = async (step: Step): Promise<unknown[]> => {
    await using server = await startWireServer([step]);
    return sse((await ask(server.url, "openai-chat")).text).map(({ data }) => data);
  };
  const ended = (finish_reason: string) => ({ choices: [{ delta: {}, finish_reason }] });
  expect((await chunksOf(says("a"))).at(-3)).toMatchObject(ended("stop"));
  expect((await chunksOf(says("a", { finish: "length" }))).at(-3)).toMatchObject(ended("length"));
  expect((await chunksOf(replies({ finish: "refused" }))).at(-3)).toMatchObject(ended("content_filter"));
  const refusal = await chunksOf(refuses("No."));
  expect(refusal.at(-4)).toMatchObject({ choices: [{ delta: { refusal: "No." } }] });
  expect(refusal.at(-3)).toMatchObject(ended("stop"));
});
