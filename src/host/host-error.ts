// Something a person must mend before work can begin: one line, no stack.
export class HostError extends Error {
  override readonly name = "HostError";
  readonly kind: "usage" | "failed";
  constructor(message: string, kind: "usage" | "failed" = "usage") {
    super(message);
    this.kind = kind;
  }
}
