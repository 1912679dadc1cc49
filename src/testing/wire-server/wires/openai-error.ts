// How both OpenAI wires say that something failed.
import type { Json } from "../../../core/json.ts";
import type { Failure } from "../step.ts";
import { statusOf } from "./failures.ts";

export function openaiFailure(failure: Failure): {
  status: number;
  body: Json;
  headers: Readonly<Record<string, string>>;
} {
  const status = statusOf(failure);
  const known = errors[failure.what] ?? errors[status] ?? (status >= 500 ? serverError : badRequest);
  const error = {
    message: failure.message ?? known.message,
    type: failure.type ?? known.type,
    param: null,
    code: failure.code ?? (failure.type === undefined ? known.code : null),
  };
  return { status, body: failure.body ?? { error }, headers: failure.headers ?? {} };
}

type Known = { readonly message: string; readonly type: string; readonly code: string | null };

const badRequest: Known = { message: "Invalid request.", type: "invalid_request_error", code: null };
const serverError: Known = {
  message: "The server had an error while processing your request. Sorry about that!",
  type: "server_error",
  code: null,
};
const wrongKey: Known = {
  message:
    "Incorrect API key provided: sk-****. You can find your API key at https://platform.openai.com/account/api-keys.",
  type: "invalid_request_error",
  code: "invalid_api_key",
};
const noModel: Known = {
  message: "The model `no-such-model` does not exist or you do not have access to it.",
  type: "invalid_request_error",
  code: "model_not_found",
};
const tooFast: Known = {
  message: "Rate limit reached on requests per min (RPM): Limit 500, Used 500, Requested 1. Please try again in 120ms.",
  type: "requests",
  code: "rate_limit_exceeded",
};

const errors: Readonly<Record<string, Known>> = {
  auth: wrongKey,
  401: wrongKey,
  403: {
    message: "You are not allowed to do this.",
    type: "invalid_request_error",
    code: "unsupported_country_region_territory",
  },
  "not-found": noModel,
  404: noModel,
  spend: {
    message: "You exceeded your current quota, please check your plan and billing details.",
    type: "insufficient_quota",
    code: "insufficient_quota",
  },
  overflow: {
    message: "Your input exceeds the context window of this model. Please adjust your input and try again.",
    type: "invalid_request_error",
    code: "context_length_exceeded",
  },
  "rate-limit": tooFast,
  429: tooFast,
  overloaded: {
    message: "The engine is currently overloaded, please try again later.",
    type: "server_error",
    code: null,
  },
  503: { message: "The engine is currently overloaded, please try again later.", type: "server_error", code: null },
};
