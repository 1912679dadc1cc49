// Where definitions lie for somebody who works in a folder: their own, and the project's from its root to the folder.
import { dirname, join } from "node:path";
import type { DefinitionPlace } from "../../engine/agents/registry.ts";
import { projectRoot } from "../config/trust.ts";

export type Whereabouts = {
  /** Real path. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly trusted: boolean;
};

const BOTH = [".md", ".json"];
/** Ours win over `.claude`, however near that is. */
const OURS = 1_000;
export const CONFIG_ORDER = 10_000;

export function definitionPlaces({ cwd, env, trusted }: Whereabouts): readonly DefinitionPlace[] {
  const user = userPlaces(env);
  const taken = new Set(user.map(({ path }) => path));
  const root = projectRoot(cwd, env["HOME"]);
  const project = upTo(cwd, root).flatMap((folder, order) =>
    [
      { path: join(folder, ".claude", "agents"), endings: [".md"], order },
      { path: join(folder, ".sous", "agents"), endings: BOTH, order: OURS + order },
    ].map(({ path, endings, order: rank }) => ({
      path,
      endings,
      within: root,
      direct: true as const,
      source: { kind: "project", priority: 30, order: rank } as const,
      untrusted: !trusted,
    })),
  );
  return [...user, ...project.filter(({ path }) => !taken.has(path))];
}

function userPlaces(env: Whereabouts["env"]): DefinitionPlace[] {
  const home = env["HOME"];
  const config = env["XDG_CONFIG_HOME"] || (home && join(home, ".config"));
  const source = { kind: "user", priority: 20 } as const;
  return [
    ...(home ? [{ path: join(home, ".claude", "agents"), endings: [".md"], source: { ...source, order: 0 } }] : []),
    ...(config ? [{ path: join(config, "sous", "agents"), endings: BOTH, source: { ...source, order: OURS } }] : []),
  ];
}

/** From the root down to the folder. */
function upTo(folder: string, root: string): string[] {
  return folder === root || dirname(folder) === folder ? [folder] : [...upTo(dirname(folder), root), folder];
}
