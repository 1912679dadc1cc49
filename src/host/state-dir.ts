// Where sessions are kept: the flag, $SOUS_STATE_DIR, or the XDG state folder.
import { isAbsolute, join, resolve } from "node:path";

export function stateDirOf(env: Readonly<Record<string, string | undefined>>, given?: string): string {
  const own = given ?? env["SOUS_STATE_DIR"];
  if (own) return resolve(own);
  const xdg = env["XDG_STATE_HOME"];
  const base = xdg && isAbsolute(xdg) ? xdg : join(env["HOME"] ?? "/", ".local", "state");
  return join(base, "sous");
}
