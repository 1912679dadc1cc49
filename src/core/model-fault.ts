// What can go wrong with a model call, in one vocabulary for all providers: what it is, whether waiting helps,
// and one line that tells a person what to do.
import type { Usage } from "./usage.ts";

export type FaultCode =
  | "auth" // 401, 403: key missing, wrong or not allowed
  | "not-found" // 404: no such model or address
  | "spend" // the account has no money or quota left
  | "too-large" // 413, or a body over the provider's limit
  | "overflow" // the conversation is over the model's context window
  | "bad-request" // 400: we sent something the provider does not take
  | "rate-limit" // 429
  | "overloaded" // 503, 529
  | "server" // other 5xx
  | "network" // could not connect, reset, cut off mid-reply
  | "timeout" // connect, first token, silence or total limit reached
  | "incomplete" // the reply ended without its end, or was not in the wire's format
  | "too-long" // the reply is longer than any that is taken
  | "refused" // the model or a content filter declined
  | "redirect" // the provider answered with a redirect, which we never follow with a key
  | "script"; // the scripted model has no such step

export type Fault = {
  readonly code: FaultCode;
  /** One line: what came. */
  readonly message: string;
  /** One line: what to do. */
  readonly remedy: string;
  readonly status?: number;
  /** What the provider asked us to wait. */
  readonly retryAfterMs?: number;
  /** What the failed attempt has already been billed, where the provider said. */
  readonly usage?: Usage;
};

const passing: ReadonlySet<FaultCode> = new Set([
  "rate-limit",
  "overloaded",
  "server",
  "network",
  "timeout",
  "incomplete",
]);
export const isPassing = (fault: Fault): boolean => passing.has(fault.code);

/** Thrown by a model's stream; carries the fault as data. */
export class ModelFault extends Error {
  readonly fault: Fault;
  constructor(fault: Fault, options?: ErrorOptions) {
    super(fault.message, options);
    this.name = "ModelFault";
    this.fault = fault;
  }
}
