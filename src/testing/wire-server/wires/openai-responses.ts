// OpenAI Responses: POST /v1/responses.
import type { Json, JsonObject } from "../../../core/json.ts";
import type { PlannedReply } from "../planned-reply.ts";
import { objects, texts, turns } from "./history.ts";
import { openaiFailure } from "./openai-error.ts";
import { functionCall, message, reasoning, type Draft, type Item } from "./openai-responses-items.ts";
import { invalidOpenaiResponses } from "./valid-history.ts";
import { comment, event, NUMBER, type Body, type Frame, type Turn, type Wants, type Wire } from "./wire.ts";

export const openaiResponses: Wire = {
  name: "openai-responses",
  path: /\/responses$/,
  headers: (number) => ({ "x-request-id": `req_sous${number}` }),
  model: (_path, body) => String(body.model ?? "gpt"),
  wants: (body) => ({
    usage: true,
    proof: Array.isArray(body.include) && body.include.includes("reasoning.encrypted_content"),
  }),
  history,
  invalid: invalidOpenaiResponses,
  frames,
  failure: openaiFailure,
  streamError: ({ type = "server_error", message: text = "The server is overloaded." }, sent) =>
    event("error", {
      type: "error",
      sequence_number: sent,
      error: { type, code: type, message: text, param: null },
    }) +
    event("response.failed", {
      type: "response.failed",
      sequence_number: sent + 1,
      response: response("unknown", { status: "failed", error: { code: type, message: text } }),
    }),
  ping: comment,
};

function history(body: Body): Turn[] {
  if (typeof body.input === "string") return [{ by: "user", text: body.input }];
  const items = objects(body.input).filter((item) => item.role !== "system" && item.role !== "developer");
  return turns(
    items.map((item) => ({
      by: item.role === "assistant" || item.type === "reasoning" || item.type === "function_call" ? "model" : "user",
      text: texts(item.content),
    })),
  );
}

function frames(reply: PlannedReply, wants: Wants): Frame[] {
  const items: Item[] = [
    ...(reply.thinks ? [reasoning(reply.thinks, wants)] : []),
    ...(reply.says || reply.refusal ? [message(reply)] : []),
    ...reply.calls.map(functionCall),
  ];
  const output = items.map((item) => item.done);
  const drafts: Draft[] = [
    { type: "response.created", fields: { response: response(reply.model, { status: "in_progress" }) } },
    { type: "response.in_progress", fields: { response: response(reply.model, { status: "in_progress" }) } },
    ...items.flatMap((item, index) => item.drafts(index)),
    ending(reply, { output, usage: usage(reply) }),
  ];
  return drafts.map(({ type, fields, delta = false }, n) => ({
    sse: event(type, { type, sequence_number: n, ...fields }),
    delta,
  }));
}

/** A refusal in the model's own words is a completed response; a filter's is an incomplete one. */
function ending(reply: PlannedReply, fields: JsonObject): Draft {
  const reason =
    reply.finish === "length"
      ? "max_output_tokens"
      : reply.finish === "refused" && !reply.refusal
        ? "content_filter"
        : null;
  const status = reason ? "incomplete" : "completed";
  const incomplete_details = reason ? { reason } : null;
  return {
    type: `response.${status}`,
    fields: { response: response(reply.model, { status, incomplete_details, ...fields }) },
  };
}

const response = (model: string, fields: JsonObject): Json => ({
  id: `resp_sous${NUMBER}`,
  object: "response",
  created_at: 1_767_225_600,
  background: false,
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  model,
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

function usage({ usage: { input, output, cacheRead, cacheWrite, reasoning: reasoned } }: PlannedReply): Json {
  const all = input + cacheRead + cacheWrite;
  return {
    input_tokens: all,
    input_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoned },
    total_tokens: all + output,
  };
}
