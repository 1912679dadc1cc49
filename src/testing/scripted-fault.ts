// The model fault that stands for a scripted failure: what a real adapter would make of it.
import { ModelFault, type FaultCode } from "../core/model-fault.ts";
import type { Break, Failure, Step } from "./wire-server/step.ts";

type Cause =
  Exclude<Step, { type: "reply" }> | Exclude<Break, { how: "stalls" }> | { code: FaultCode; message: string };

export function scriptedFault(cause: Cause | (Break & { how: "cut" })): ModelFault {
  if ("code" in cause) return fault(cause.code, cause.message);
  if ("how" in cause) return broken(cause);
  switch (cause.type) {
    case "fails":
      return failed(cause.failure);
    case "resets":
      return fault("network", "the connection was reset");
    case "html":
      return fault("incomplete", "a web page came in place of a reply");
    case "gzip-bomb":
      return fault("incomplete", "the reply is larger than any reply may be");
    case "redirects":
      return fault("redirect", `redirected to ${cause.to}`);
  }
}

function broken(cause: Exclude<Break, { how: "stalls" }>): ModelFault {
  switch (cause.how) {
    case "cut":
      return fault("network", "the connection was cut in mid-reply");
    case "ends":
      return fault("incomplete", "the reply ended without its end");
    case "garbage":
      return fault("incomplete", "the reply is not in the wire's format");
    case "errors":
      return fault(codeOfType(cause.error.type), cause.error.message ?? cause.error.type ?? "overloaded");
  }
}

function failed({ what, message, headers }: Failure): ModelFault {
  const code = typeof what === "string" ? what : codeOf(what);
  const seconds = Number(headers?.["retry-after"]);
  const status = typeof what === "number" ? { status: what } : {};
  const retry = seconds > 0 ? { retryAfterMs: seconds * 1000 } : {};
  return fault(code, message ?? `scripted failure: ${what}`, { ...status, ...retry });
}

function codeOf(status: number): FaultCode {
  if (status === 401 || status === 403) return "auth";
  if (status === 402) return "spend";
  if (status === 404) return "not-found";
  if (status === 413) return "too-large";
  if (status === 429) return "rate-limit";
  if (status === 503 || status === 529) return "overloaded";
  return status >= 500 ? "server" : "bad-request";
}

function codeOfType(type = "overloaded"): FaultCode {
  if (/rate_limit|RESOURCE_EXHAUSTED/.test(type)) return "rate-limit";
  if (/invalid_request|INVALID_ARGUMENT/.test(type)) return "bad-request";
  return /^(api_error|server_error|INTERNAL)$/.test(type) ? "server" : "overloaded";
}

const fault = (code: FaultCode, message: string, more: { status?: number; retryAfterMs?: number } = {}): ModelFault =>
  new ModelFault({ code, message, remedy: "This comes from the test's script.", ...more });
