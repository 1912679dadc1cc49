// A person's words that cannot be acted on: one line that says what to do, exit code 2.
export class UsageError extends Error {
  override readonly name = "UsageError";
}
