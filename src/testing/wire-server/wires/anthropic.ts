// Anthropic Messages: POST /v1/messages.
import type { Json } from "../../../core/json.ts";
import type { PlannedCall, PlannedReply, PlannedUsage } from "../planned-reply.ts";
import { statusOf } from "./failures.ts";
import { objects, texts, turns } from "./history.ts";
import { delta, event, frame, NUMBER, type Frame, type Wire } from "./wire.ts";
import { invalidAnthropic } from "./valid-history.ts";

export const anthropic: Wire = {
  name: "anthropic",
  path: /\/messages$/,
  headers: (number) => ({ "request-id": `req_01Sous${number}` }),
  model: (_path, body) => String(body.model ?? "claude"),
  wants: () => ({ usage: true, proof: true }),
  history: (body) =>
    turns(
      objects(body.messages).map((message) => ({
        by: message.role === "assistant" ? "model" : "user",
        text: texts(message.content),
      })),
    ),
  invalid: invalidAnthropic,
  frames,
  failure: (failure) => {
    const status = statusOf(failure, { spend: 400, overloaded: 529 });
    const type = failure.type ?? types[status] ?? (status >= 500 ? "api_error" : "invalid_request_error");
    const message = failure.message ?? messages[failure.what] ?? defaultMessage(type);
    const body = failure.body ?? { type: "error", error: { type, message }, request_id: `req_01Sous${NUMBER}` };
    return { status, body, headers: failure.headers ?? {} };
  },
  streamError: ({ type = "overloaded_error", message = "Overloaded" }) =>
    event("error", { type: "error", error: { type, message }, request_id: `req_01Sous${NUMBER}` }),
  ping: event("ping", { type: "ping" }),
};

function frames(reply: PlannedReply): Frame[] {
  const list: Frame[] = [
    frame(event("message_start", { type: "message_start", message: opening(reply) })),
    ...blocks(reply).flatMap((block, index) => block(index)),
    frame(
      event("message_delta", {
        type: "message_delta",
        delta: { stop_reason: stopReasons[reply.finish], stop_sequence: null, ...stopDetails(reply) },
        usage: {
          ...inputUsage(reply.usage),
          output_tokens: reply.usage.output,
          ...(reply.usage.reasoning > 0 && { output_tokens_details: { thinking_tokens: reply.usage.reasoning } }),
        },
      }),
    ),
    frame(event("message_stop", { type: "message_stop" })),
  ];
  // The real service sends its first ping right after the first block has started.
  list.splice(list[1]?.sse.startsWith("event: content_block_start") ? 2 : 1, 0, frame(anthropic.ping));
  return list;
}

type Block = (index: number) => Frame[];

function blocks(reply: PlannedReply): Block[] {
  const list: Block[] = [];
  if (reply.thinks) {
    const thinking = reply.thinks.pieces.map((piece) => ({ type: "thinking_delta", thinking: piece }));
    const signature = { type: "signature_delta", signature: `SousSign${NUMBER}` };
    list.push(block({ type: "thinking", thinking: "", signature: "" }, [...thinking, signature]));
  }
  for (const text of [reply.says, reply.refusal])
    if (text)
      list.push(
        block(
          { type: "text", text: "" },
          text.pieces.map((piece) => ({ type: "text_delta", text: piece })),
        ),
      );
  return [...list, ...reply.calls.map(toolUse)];
}

function toolUse(call: PlannedCall, n: number): Block {
  const id = call.id ?? `toolu_01Sous${NUMBER}${n + 1}`;
  const json = ["", ...call.pieces].map((piece) => ({ type: "input_json_delta", partial_json: piece }));
  return block({ type: "tool_use", id, name: call.tool, input: {} }, json);
}

const block =
  (start: Json, deltas: readonly Json[]): Block =>
  (index) => [
    frame(event("content_block_start", { type: "content_block_start", index, content_block: start })),
    ...deltas.map((piece) => delta(event("content_block_delta", { type: "content_block_delta", index, delta: piece }))),
    frame(event("content_block_stop", { type: "content_block_stop", index })),
  ];

const opening = (reply: PlannedReply): Json => ({
  model: reply.model,
  id: `msg_01Sous${NUMBER}`,
  type: "message",
  role: "assistant",
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: {
    ...inputUsage(reply.usage),
    cache_creation: { ephemeral_5m_input_tokens: reply.usage.cacheWrite, ephemeral_1h_input_tokens: 0 },
    output_tokens: 1,
    service_tier: "standard",
  },
});

const inputUsage = (usage: PlannedUsage) => ({
  input_tokens: usage.input,
  cache_creation_input_tokens: usage.cacheWrite,
  cache_read_input_tokens: usage.cacheRead,
});

const stopReasons = { stop: "end_turn", calls: "tool_use", length: "max_tokens", refused: "refusal" } as const;

const stopDetails = (reply: PlannedReply) =>
  reply.finish === "refused" && {
    stop_details: { type: "refusal", category: null, explanation: reply.refusal?.text ?? null },
  };

const types: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  504: "timeout_error",
  529: "overloaded_error",
};

const messages: Readonly<Record<string, string>> = {
  auth: "invalid x-api-key",
  401: "invalid x-api-key",
  "not-found": "model: no-such-model",
  overflow: "prompt is too long: 215123 tokens > 200000 maximum",
  spend:
    "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.",
  "too-large": "Request exceeds the maximum size",
  "rate-limit": "This request would exceed your organization's rate limit of 50 requests per minute.",
  429: "This request would exceed your organization's rate limit of 50 requests per minute.",
};

const defaultMessage = (type: string): string =>
  type === "overloaded_error"
    ? "Overloaded"
    : type === "api_error"
      ? "Internal server error"
      : `The request failed: ${type}`;
