import { expect, test } from "vitest";
import { call, callsAll, malformedCall, replies, says } from "../script.ts";
import { startWireServer } from "../start-wire-server.ts";
import { ask, sse } from "../test-client.ts";

test("a Gemini reply is the sequence of chunks of the real service", async () => {
  const step = replies({
    thinks: "Let me see.",
    says: "I read both files.",
    calls: [call("Read", { file_path: "a" }), call("Bash", {}, "mine")],
    usage: { inputTokens: 7, outputTokens: 40, cacheReadTokens: 3, reasoningTokens: 4 },
  });
  await using server = await startWireServer([step]);
  const seen = await ask(server.url, "gemini");
  server.finish();
  const chunk = (part: object, candidate: object = {}) => ({
    candidates: [{ content: { parts: [part], role: "model" }, ...candidate, index: 0 }],
    usageMetadata: {
      promptTokenCount: 10,
      candidatesTokenCount: 36,
      totalTokenCount: 50,
      cachedContentTokenCount: 3,
      promptTokensDetails: [{ modality: "TEXT", tokenCount: 10 }],
      thoughtsTokenCount: 4,
    },
    modelVersion: "gemini-3-pro",
    responseId: "sous00000001",
  });
  expect(sse(seen.text).map(({ data }) => data)).toEqual([
    chunk({ text: "Let me see.", thought: true }),
    chunk({ text: "I read both " }),
    chunk({ text: "files." }),
    chunk({
      functionCall: { name: "Read", args: { file_path: "a" }, id: "sous000000011" },
      thoughtSignature: "SousSign00000001",
    }),
    chunk({ functionCall: { name: "Bash", args: {}, id: "mine" } }),
    chunk({ text: "" }, { finishReason: "STOP" }),
  ]);
});

test("a Gemini reply without calls carries its signature on the last chunk", async () => {
  await using server = await startWireServer([says("a")]);
  const last = sse((await ask(server.url, "gemini")).text).at(-1)?.data;
  expect(last).toMatchObject({
    candidates: [{ content: { parts: [{ text: "", thoughtSignature: "SousSign00000001" }] }, finishReason: "STOP" }],
  });
});

test("a Gemini reply ends with the finish reason of the real service", async () => {
  const steps = [
    says("a", { finish: "length" }),
    replies({ finish: "refused" }),
    callsAll(malformedCall("Read", '{"a')),
  ];
  await using server = await startWireServer(steps);
  const last = async (): Promise<unknown> => sse((await ask(server.url, "gemini")).text).at(-1)?.data;
  expect(await last()).toMatchObject({ candidates: [{ finishReason: "MAX_TOKENS" }] });
  expect(await last()).toMatchObject({ candidates: [{ finishReason: "SAFETY" }] });
  expect(await last()).toMatchObject({
    candidates: [{ finishReason: "MALFORMED_FUNCTION_CALL", finishMessage: 'Malformed function call: Read({"a)' }],
  });
});

test("a Gemini model before the third gives its calls no id", async () => {
  await using server = await startWireServer([callsAll(call("Read", {}))]);
  const seen = await ask(server.url, "gemini", { path: "/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse" });
  expect(seen.text).toContain('"functionCall":{"name":"Read","args":{}}');
});
