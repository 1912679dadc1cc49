// Where the person's own settings stand.
import { isAbsolute, join } from "node:path";
import { withHome } from "../with-home.ts";

type Env = Readonly<Record<string, string | undefined>>;

export function configFolder(env: Env): string {
  const xdg = env["XDG_CONFIG_HOME"];
  return join(xdg && isAbsolute(xdg) ? xdg : join(withHome(env)["HOME"] || "/", ".config"), "sous");
}

export const configFile = (env: Env): string => join(configFolder(env), "config.json");
/** The one that counts where no flag names another. */
export const ownConfigFile = (env: Env): string => env["SOUS_CONFIG"] || configFile(env);
export const keysFile = (env: Env): string => join(configFolder(env), "keys.json");
