// The person's own configuration and state, as real paths: what no agent changes unasked.
import { realPath } from "../adapters/workspaces/real-path.ts";
import { configFolder, ownConfigFile } from "./config/places.ts";

export const ownPlaces = (
  env: Readonly<Record<string, string | undefined>>,
  stateDir: string,
): Promise<readonly string[]> =>
  Promise.all([stateDir, configFolder(env), ownConfigFile(env)].map((path) => realPath(path)));
