// Where sessions are kept: the flag, $SOUS_STATE_DIR, or the XDG state folder.
import { isAbsolute, join, resolve } from "node:path";
import { HostError } from "./host-error.ts";
import { withHome } from "./with-home.ts";

export function stateDirOf(env: Readonly<Record<string, string | undefined>>, given?: string): string {
  const own = given ?? env["SOUS_STATE_DIR"];
  if (own) return resolve(own);
  const xdg = env["XDG_STATE_HOME"];
  if (xdg && isAbsolute(xdg)) return join(xdg, "sous");
  const { HOME: home } = withHome(env);
  if (!home || home === "/")
    throw new HostError(
      "there is no home folder to keep sessions in: set HOME, or SOUS_STATE_DIR to a folder for them",
    );
  return join(home, ".local", "state", "sous");
}
