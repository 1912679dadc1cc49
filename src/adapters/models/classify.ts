// Status and words of a provider's error to one of our fault codes. Words win where a status has several meanings.
import type { FaultCode } from "../../core/model-fault.ts";

const SPEND =
  /insufficient_quota|billing_(hard_limit|not_active)|billing_error|credit balance is too low|spend(ing)?[ _-]?(limit|cap)|insufficient[ _](credits?|funds|balance)|out of credits|hard[ _]limit|specified api usage limits|credits? (is|are|has|have)( been)? (depleted|exhausted)|payment required/i;
const OVERFLOW =
  /context[_ -](length|window|limit)|maximum context|prompt (is )?too long|input (is )?too long|too many (input |prompt )?tokens|input token count.*exceed|exceeds? the (maximum|max).*(input|context) tokens?|reduce the length of the (messages|input|prompt)/i;
const BAD_KEY = /api[ _]key[ _](not[ _]valid|invalid|expired)|(invalid|incorrect) api key|invalid_api_key/i;
const TOO_LARGE = /payload size exceeds|request (entity |body )?(is )?too large|request_too_large/i;
const FILTERED = /content_filter|content_policy_violation/i;

export function classify(status: number | undefined, kind: string, message: string): FaultCode {
  const words = `${kind} ${message}`;
  const vague = status === undefined || status === 400 || status === 422;
  if ((vague || status === 403 || status === 429) && SPEND.test(words)) return "spend";
  if (vague && OVERFLOW.test(words)) return "overflow";
  if (vague && TOO_LARGE.test(words)) return "too-large";
  if (vague && BAD_KEY.test(words)) return "auth";
  if (vague && FILTERED.test(words)) return "refused";
  return status === undefined ? byKind(kind) : byStatus(status);
}

function byStatus(status: number): FaultCode {
  if (status === 401 || status === 403) return "auth";
  if (status === 402) return "spend";
  if (status === 404) return "not-found";
  if (status === 413) return "too-large";
  if (status === 429) return "rate-limit";
  if (status === 503 || status === 529) return "overloaded";
  if (status === 408 || status === 409 || status >= 500) return "server";
  return "bad-request";
}

function byKind(kind: string): FaultCode {
  return kinds.find(([pattern]) => pattern.test(kind))?.[1] ?? "server";
}

const kinds: readonly (readonly [RegExp, FaultCode])[] = [
  [/overloaded|unavailable/i, "overloaded"],
  [/rate_limit|resource_exhausted|too_many_requests/i, "rate-limit"],
  [/authentication|permission|unauthenticated|unauthorized/i, "auth"],
  [/not_found/i, "not-found"],
  [/too_large/i, "too-large"],
  [/api_error|server_error|internal|timeout/i, "server"],
  [/invalid_|failed_precondition|bad_request/i, "bad-request"],
];
