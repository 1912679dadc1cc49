// The person's home where the environment does not name it: a service or a bare container still has an owner.
import { userInfo } from "node:os";

type Env = Readonly<Record<string, string | undefined>>;

/** The same environment where it has one, or where nobody knows one. */
export function withHome<E extends Env>(env: E): E {
  if (env["HOME"]) return env;
  const home = passwdHome();
  return home === undefined ? env : { ...env, HOME: home };
}

function passwdHome(): string | undefined {
  try {
    const { homedir } = userInfo();
    return homedir === "" || homedir === "/" ? undefined : homedir;
  } catch {
    // A user id without an entry.
    return undefined;
  }
}
