// The person's own configuration, agents and state, as real paths: what no agent changes unasked. A folder of agents is
// named besides the one it is in, because it may be a link to where the person works.
import { join } from "node:path";
import { realPath } from "../adapters/workspaces/real-path.ts";
import { configFolder, ownConfigFile } from "./config/places.ts";

export const ownPlaces = (
  env: Readonly<Record<string, string | undefined>>,
  stateDir: string,
): Promise<readonly string[]> => {
  const agents = [join(configFolder(env), "agents"), ...(env["HOME"] ? [join(env["HOME"], ".claude", "agents")] : [])];
  return Promise.all([stateDir, configFolder(env), ownConfigFile(env), ...agents].map((path) => realPath(path)));
};
