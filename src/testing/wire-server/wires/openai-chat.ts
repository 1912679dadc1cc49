// OpenAI Chat Completions: POST /v1/chat/completions. Thinking goes out as `reasoning_content`, the word that
// compatible servers use for it; OpenAI's own models do not stream it on this wire.
import type { Json } from "../../../core/json.ts";
import type { PlannedCall, PlannedReply } from "../planned-reply.ts";
import { objects, texts, turns } from "./history.ts";
import { openaiFailure } from "./openai-error.ts";
import { invalidOpenaiChat } from "./valid-history.ts";
import { comment, data, delta, frame, NUMBER, type Frame, type Wants, type Wire } from "./wire.ts";

export const openaiChat: Wire = {
  name: "openai-chat",
  path: /\/chat\/completions$/,
  headers: (number) => ({ "x-request-id": `req_sous${number}` }),
  model: (_path, body) => String(body.model ?? "gpt"),
  wants: (body) => {
    const options = body.stream_options as { include_usage?: boolean } | undefined;
    return { usage: options?.include_usage === true, proof: false };
  },
  history: (body) =>
    turns(
      objects(body.messages)
        .filter((message) => message.role !== "system" && message.role !== "developer")
        .map((message) => ({ by: message.role === "assistant" ? "model" : "user", text: texts(message.content) })),
    ),
  invalid: invalidOpenaiChat,
  frames,
  failure: openaiFailure,
  streamError: ({ type = "server_error", message = "The server is overloaded." }) =>
    data({ error: { message, type, param: null, code: type === "server_error" ? null : type } }),
  ping: comment,
};

function frames(reply: PlannedReply, wants: Wants): Frame[] {
  const base = {
    id: `chatcmpl-sous${NUMBER}`,
    object: "chat.completion.chunk",
    created: 1_767_225_600,
    model: reply.model,
    service_tier: "default",
    system_fingerprint: "fp_sous",
  };
  // Only a stream that was asked for usage has the field at all: null, until the last chunk.
  const rest = wants.usage ? { usage: null } : {};
  const chunk = (piece: Json, finish: string | null = null): string =>
    data({ ...base, choices: [{ index: 0, delta: piece, logprobs: null, finish_reason: finish }], ...rest });

  const list = [
    frame(chunk({ role: "assistant", content: reply.says ? "" : null, refusal: null })),
    ...(reply.thinks?.pieces ?? []).map((piece) => delta(chunk({ reasoning_content: piece }))),
    ...(reply.says?.pieces ?? []).map((piece) => delta(chunk({ content: piece }))),
    ...(reply.refusal?.pieces ?? []).map((piece) => delta(chunk({ refusal: piece }))),
    ...reply.calls.flatMap((call, index) =>
      toolCall(call, index).map((piece) => delta(chunk({ tool_calls: [piece] }))),
    ),
    frame(chunk({}, finishReason(reply))),
  ];
  if (wants.usage) list.push(frame(data({ ...base, choices: [], usage: usage(reply) })));
  return [...list, frame("data: [DONE]\n\n")];
}

function toolCall(call: PlannedCall, index: number): Json[] {
  const id = call.id ?? `call_sous${NUMBER}${index + 1}`;
  const opening = { index, id, type: "function", function: { name: call.tool, arguments: "" } };
  return [opening, ...call.pieces.map((piece) => ({ index, function: { arguments: piece } }))];
}

/** A refusal in the model's own words ends with `stop`; a filter's has no words. */
function finishReason(reply: PlannedReply): string {
  if (reply.finish === "refused") return reply.refusal ? "stop" : "content_filter";
  return { stop: "stop", calls: "tool_calls", length: "length" }[reply.finish];
}

function usage({ usage: { input, output, cacheRead, cacheWrite, reasoning } }: PlannedReply): Json {
  const prompt = input + cacheRead + cacheWrite;
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: {
      cached_tokens: cacheRead,
      audio_tokens: 0,
      ...(cacheWrite > 0 && { cache_write_tokens: cacheWrite }),
    },
    completion_tokens_details: {
      reasoning_tokens: reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}
