// Something a person must mend before work can begin: one line, no stack.

/** What is wrong, for programs. `invalid` and `failed` stand for everything that has no code of its own; `held`: another process has the session open. */
export type HostErrorCode =
  | "invalid"
  | "failed"
  | "invalid-agent"
  | "invalid-tool"
  | "invalid-input"
  | "unknown-agent"
  | "unknown-model"
  | "no-key"
  | "unknown-session"
  | "held"
  | "closed";

/** Thrown before a run begins: what was asked for cannot be done. The message says what to do. */
export class HostError extends Error {
  override readonly name = "HostError";
  /** `usage`: the caller must mend it; `failed`: the machine or a file. */
  readonly kind: "usage" | "failed";
  readonly code: HostErrorCode;
  constructor(
    message: string,
    kind: "usage" | "failed" = "usage",
    code: HostErrorCode = kind === "usage" ? "invalid" : "failed",
  ) {
    super(message);
    this.kind = kind;
    this.code = code;
  }
}
