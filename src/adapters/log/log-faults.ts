// From the system's errors to the log's: what happened, and what a person can do.
import { errorCode } from "../../ports/log-files.ts";
import { LogFault } from "../../ports/tree-log.ts";

const full: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

export function logFault(error: unknown, what: string): LogFault {
  if (error instanceof LogFault) return error;
  const code = errorCode(error) ?? (error instanceof Error ? error.message : String(error));
  if (full.has(code)) {
    return new LogFault("full", `${what}: no space left (${code}); free some space, then go on`, { cause: error });
  }
  const path = (error as { path?: unknown } | undefined)?.path;
  const where = typeof path === "string" ? ` (${path})` : "";
  if (code === "EACCES" || code === "EPERM" || code === "EROFS")
    return new LogFault("io", `${what}: ${code}${where}; mend its permissions, or set SOUS_STATE_DIR`, {
      cause: error,
    });
  return new LogFault("io", `${what}: ${code}; check the disk`, { cause: error });
}

export const fenced = (tree: string): LogFault =>
  new LogFault("fenced", `session ${tree} now belongs to another process; this one no longer writes to it`);

/** Trying again would not help. */
export const tooLarge = (characters: number): LogFault =>
  new LogFault("too-large", `an event of ${characters} characters is too large for the journal; nothing was recorded`);
