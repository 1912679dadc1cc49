// The HTTP status of a failure: the same on most wires; a wire can have its own.
import type { Failure, Named } from "../step.ts";

const statuses: Readonly<Record<Named, number>> = {
  auth: 401,
  "not-found": 404,
  spend: 429,
  "too-large": 413,
  overflow: 400,
  "bad-request": 400,
  "rate-limit": 429,
  overloaded: 503,
  server: 500,
};

export const statusOf = (failure: Failure, own: Partial<Record<Named, number>> = {}): number =>
  typeof failure.what === "number" ? failure.what : (own[failure.what] ?? statuses[failure.what]);
