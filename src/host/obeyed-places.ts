// What Sous and git obey, as places that commands are kept from changing by the system where it can. The rest of that
// promise is judgement: what a command names is asked about, and what appears does not count before it was looked at.
import { dirname, join } from "node:path";
import { changesObeyed } from "../core/obeyed.ts";
import type { Processes, Spared } from "../ports/processes.ts";
import { configFolder, ownConfigFile } from "./config/places.ts";
import { keepTrustFile } from "./config/trust.ts";
import { grantsFolder } from "./grants.ts";
import { isThere } from "./is-there.ts";
import { copiesFolder } from "./workspaces/copy-place.ts";

export type ObeyedPlaces = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stateDir: string;
  /** Of the tree: its record. */
  readonly folder: string;
  readonly artifacts: string;
  readonly cwd: string;
  readonly project: string;
  readonly roots: readonly string[];
  readonly own: readonly string[];
  notice(words: string): void;
};

/** Commands that change none of it, but for those that name it: these were asked about. */
export function sparingObeyed(processes: Processes, places: ObeyedPlaces): Processes {
  const { own, notice } = places;
  const copies = copiesFolder(places.folder);
  const acting = projectPlaces(places);
  const bar = ownFolders(places);
  const keep = [ownConfigFile(places.env), keepTrustFile(places.stateDir), places.folder, ...acting];
  const spare: Spared = { keep, bar, except: [places.artifacts, copies] };
  const roots = [...places.roots, copies];
  const isNamed = (command: string): boolean => changesObeyed([{ may: "run", command }], { own, roots }) !== undefined;
  return {
    ...processes,
    async run(spec, onOutput, signal) {
      if (isNamed(spec.command)) return processes.run(spec, onOutput, signal);
      const absent = acting.filter((path) => !isThere(path));
      const exit = await processes.run({ ...spec, spare }, onOutput, signal);
      for (const path of absent.filter(isThere))
        notice(`${path} appeared while a command ran; Sous does not obey it before you have looked at it (sous trust)`);
      return exit;
    },
  };
}

/** Nobody asks about what stands here: it must not appear by a command's hand. */
const ownFolders = ({ env, stateDir }: ObeyedPlaces): string[] => [
  ...(env["HOME"] || env["XDG_CONFIG_HOME"] ? [configFolder(env)] : []),
  ...(env["HOME"] ? [join(env["HOME"], ".claude", "agents")] : []),
  join(stateDir, "trust"),
  grantsFolder(stateDir),
];

/** From the project's root down to where it works, and in the other folders it was given. */
function projectPlaces({ env, cwd, project, roots, artifacts }: ObeyedPlaces): string[] {
  const given = roots.filter((root) => root !== artifacts);
  const folders = new Set([...upTo(cwd, project), ...given]);
  return [...folders].flatMap((folder) => {
    // A person's home has other things in there, that programs write.
    const claude = folder === env["HOME"] ? CLAUDE.map((name) => `.claude/${name}`) : [".claude"];
    return [".sous", ...claude, ".mcp.json", ".git/hooks"].map((name) => join(folder, name));
  });
}

const CLAUDE = ["settings.json", "settings.local.json", "agents", "commands", "hooks"];

const upTo = (folder: string, root: string): string[] =>
  folder === root || dirname(folder) === folder ? [folder] : [...upTo(dirname(folder), root), folder];
