// Where the person's own settings stand.
import { isAbsolute, join } from "node:path";

type Env = Readonly<Record<string, string | undefined>>;

export function configFolder(env: Env): string {
  const xdg = env["XDG_CONFIG_HOME"];
  return join(xdg && isAbsolute(xdg) ? xdg : join(env["HOME"] ?? "/", ".config"), "sous");
}

export const configFile = (env: Env): string => join(configFolder(env), "config.json");
export const keysFile = (env: Env): string => join(configFolder(env), "keys.json");
