// Gemini: POST /v1beta/models/{model}:streamGenerateContent?alt=sse.
import type { Json, JsonObject } from "../../../core/json.ts";
import type { PlannedCall, PlannedReply } from "../planned-reply.ts";
import { statusOf } from "./failures.ts";
import { objects, texts, turns } from "./history.ts";
import { invalidGemini } from "./valid-history.ts";
import { comment, data, delta, frame, NUMBER, type Frame, type Wire } from "./wire.ts";

export const gemini: Wire = {
  name: "gemini",
  path: /\/models\/[^/]+:streamGenerateContent$/,
  headers: () => ({}),
  model: (path) => /models\/([^/]+):/.exec(path)?.[1] ?? "gemini",
  wants: () => ({ usage: true, proof: true }),
  history: (body) =>
    turns(
      objects(body.contents).map((content) => ({
        by: content.role === "model" ? "model" : "user",
        text: texts(content.parts),
      })),
    ),
  invalid: invalidGemini,
  frames,
  failure: (failure) => {
    const code = statusOf(failure);
    const status = failure.type ?? statuses[code] ?? (code >= 500 ? "INTERNAL" : "INVALID_ARGUMENT");
    const message = failure.message ?? messages[failure.what] ?? `The request failed: ${status}.`;
    // Google says how long to wait in the body, not in a header.
    const seconds = failure.headers?.["retry-after"];
    const details = seconds && [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${seconds}s` }];
    const body = failure.body ?? { error: { code, message, status, ...(details && { details }) } };
    return { status: code, body, headers: failure.headers ?? {} };
  },
  streamError: ({ type = "UNAVAILABLE", message = "The model is overloaded. Please try again later." }) => {
    const code = Object.entries(statuses).find(([, name]) => name === type)?.[0];
    return data({ error: { code: Number(code ?? 500), message, status: type } });
  },
  ping: comment,
};

function frames(reply: PlannedReply): Frame[] {
  // Arguments are objects on this wire: what is no JSON at all is reported in place of the calls.
  const unreadable = reply.calls.find((call) => call.input === undefined);
  const calls = unreadable ? [] : reply.calls.map((call, n) => functionCall(call, n, reply.model));
  const chunk = (parts: Json[], candidate: JsonObject = {}): string =>
    data({
      candidates: [{ content: { parts, role: "model" }, ...candidate, index: 0 }],
      usageMetadata: usage(reply),
      modelVersion: reply.model,
      responseId: `sous${NUMBER}`,
    });
  const finishReason = unreadable ? "MALFORMED_FUNCTION_CALL" : finishReasons[reply.finish];
  const finishMessage = unreadable && `Malformed function call: ${unreadable.tool}(${unreadable.raw})`;
  // A reply without calls carries its signature on an empty text at the end.
  const last = calls.length > 0 || unreadable ? { text: "" } : { text: "", thoughtSignature: `SousSign${NUMBER}` };
  return [
    ...(reply.thinks?.pieces ?? []).map((text) => delta(chunk([{ text, thought: true }]))),
    ...(reply.says?.pieces ?? []).map((text) => delta(chunk([{ text }]))),
    ...(reply.refusal?.pieces ?? []).map((text) => delta(chunk([{ text }]))),
    ...calls.map((part) => delta(chunk([part]))),
    frame(chunk([last], { finishReason, ...(finishMessage && { finishMessage }) })),
  ];
}

/** Of parallel calls only the first one is signed. Models before Gemini 3 give calls no id. */
function functionCall(call: PlannedCall, n: number, model: string): Json {
  const id = /^gemini-[12]/.test(model) ? undefined : (call.id ?? `sous${NUMBER}${n + 1}`);
  const part = { functionCall: { name: call.tool, args: call.input ?? {}, ...(id !== undefined && { id }) } };
  return n === 0 ? { ...part, thoughtSignature: `SousSign${NUMBER}` } : part;
}

function usage({ usage: { input, output, cacheRead, cacheWrite, reasoning } }: PlannedReply): Json {
  const prompt = input + cacheRead + cacheWrite;
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: output - reasoning,
    totalTokenCount: prompt + output,
    ...(cacheRead > 0 && { cachedContentTokenCount: cacheRead }),
    promptTokensDetails: [{ modality: "TEXT", tokenCount: prompt }],
    ...(reasoning > 0 && { thoughtsTokenCount: reasoning }),
  };
}

const finishReasons = { stop: "STOP", calls: "STOP", length: "MAX_TOKENS", refused: "SAFETY" } as const;

const statuses: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  499: "CANCELLED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

const messages: Readonly<Record<string, string>> = {
  auth: "API keys are not supported by this API. Expected OAuth2 access token or other authentication credentials.",
  "not-found": "models/no-such-model is not found for API version v1beta, or is not supported for generateContent.",
  overflow: "The input token count (1048600) exceeds the maximum number of tokens allowed (1048576).",
  spend: "Your project has exceeded its monthly spending cap. Please go to AI Studio to manage your project spend cap.",
  "too-large": "Request payload size exceeds the limit: 20971520 bytes.",
  "rate-limit": "You exceeded your current quota, please check your plan and billing details.",
  429: "You exceeded your current quota, please check your plan and billing details.",
  overloaded: "The model is overloaded. Please try again later.",
  503: "The model is overloaded. Please try again later.",
  server: "An internal error has occurred. Please retry.",
};
