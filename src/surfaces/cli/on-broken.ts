// An exception that nobody caught: told in one line, so that the run can still be ended and recorded.

/** Gives what stops listening. */
export function onBroken(told: (line: string) => void): () => void {
  const crash = (error: unknown): void =>
    told(`something broke: ${error instanceof Error ? error.message : String(error)}; the session is kept`);
  process.on("uncaughtException", crash);
  process.on("unhandledRejection", crash);
  return () => {
    process.off("uncaughtException", crash);
    process.off("unhandledRejection", crash);
  };
}
