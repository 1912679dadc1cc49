// What Sous and git obey, as places that commands are kept from changing by the system where it can. The rest of that
// promise is judgement: what a command names is asked about, and what appears does not count before it was looked at.
import { dirname, join } from "node:path";
import { sessionServices } from "../adapters/processes/session-services.ts";
import { changesObeyed, isInside } from "../core/obeyed.ts";
import type { Processes, Spared } from "../ports/processes.ts";
import { configFolder, keysFile, ownConfigFile } from "./config/places.ts";
import { keepTrustFile } from "./config/trust.ts";
import { grantsFolder } from "./grants.ts";
import { runtimeFolders } from "./control/runtime-folder.ts";
import { socketsIn } from "./control/socket-file.ts";
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
  /** Of trusted hooks and workspace commands. */
  readonly scripts: readonly string[];
  /** What is denied to be read: commands that nobody is asked about do not find it. */
  readonly denied: readonly string[];
  notice(words: string): void;
};

/** Commands that change none of it, but for those that name it: these were asked about. */
export function sparingObeyed(processes: Processes, places: ObeyedPlaces): Processes {
  const { own, notice } = places;
  const copies = copiesFolder(places.folder);
  const { hooks, tracked } = projectPlaces(places);
  const acting = [...hooks, ...tracked];
  const always = [ownConfigFile(places.env), keepTrustFile(places.stateDir), places.folder, ...hooks];
  const bar = ownFolders(places);
  const roots = [...places.roots, copies];
  const unreached = (): Pick<Spared, "hide" | "show"> => {
    const { hide, show } = sessionServices(places.env);
    const ours = [...runtimeFolders(places.env), ...socketsIn(places.stateDir), keysFile(places.env)];
    // Nobody's work is hidden because it stands in an odd place.
    const holdsWork = (path: string): boolean => [...roots, places.stateDir].some((root) => isInside(path, root));
    return { hide: [...ours, ...hide].filter((path) => !holdsWork(path)), show };
  };
  const { variables } = sessionServices(places.env);
  const sparedBy = (command: string): Spared => ({
    keep: VERSIONING.test(command) ? always : [...always, ...tracked],
    bar,
    except: [places.artifacts, copies],
    ...unreached(),
  });
  const isNamed = (command: string): boolean => changesObeyed([{ may: "run", command }], { own, roots }) !== undefined;
  return {
    ...processes,
    async run(given, onOutput, signal) {
      const spec = { ...given, env: without(given.env, variables) };
      if (isNamed(spec.command))
        return processes.run({ ...spec, spare: { keep: [], bar: [], except: [], ...unreached() } }, onOutput, signal);
      if (spec.unasked) {
        const spare = { ...unreached(), keep: [], bar: [], except: [] };
        return processes.run(
          { ...spec, spare: { ...spare, hide: [...spare.hide, ...places.denied] } },
          onOutput,
          signal,
        );
      }
      const absent = acting.filter((path) => !isThere(path));
      let hitsIt = false;
      const watched = (chunk: Buffer): void => {
        hitsIt ||= SIGNS.some((sign) => chunk.includes(sign));
        onOutput(chunk);
      };
      const exit = await processes.run({ ...spec, spare: sparedBy(spec.command) }, watched, signal);
      if (hitsIt && exit.code !== 0) onOutput(Buffer.from(HINT));
      for (const path of absent.filter(isThere))
        notice(`${path} appeared while a command ran; Sous does not obey it before you have looked at it (sous trust)`);
      return exit;
    },
  };
}

/** What the system says of something read-only, and of a folder that something read-only stands in. */
const SIGNS = ["Read-only file system", "EROFS", "Device or resource busy", "EBUSY"];

const without = (env: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));

/** Nobody asks about what stands here: it must not appear by a command's hand. */
const ownFolders = ({ env, stateDir }: ObeyedPlaces): string[] => [
  ...(env["HOME"] || env["XDG_CONFIG_HOME"] ? [configFolder(env)] : []),
  ...(env["HOME"] ? [join(env["HOME"], ".claude", "agents")] : []),
  join(stateDir, "trust"),
  grantsFolder(stateDir),
];

/**
 * From the project's root down to where it works, and in the other folders it was given. `tracked` is what a checkout may
 * have to change.
 */
function projectPlaces({
  env,
  cwd,
  project,
  roots,
  artifacts,
  scripts,
}: ObeyedPlaces): Record<"hooks" | "tracked", string[]> {
  const given = roots.filter((root) => root !== artifacts);
  const folders = [...new Set([...upTo(cwd, project), ...given])];
  const tracked = folders.flatMap((folder) => {
    // A person's home has other things in there, that programs write.
    const claude = folder === env["HOME"] ? CLAUDE.map((name) => `.claude/${name}`) : [".claude"];
    return [".sous", ...claude, ".mcp.json"].map((name) => join(folder, name));
  });
  return { hooks: folders.map((folder) => join(folder, ".git/hooks")), tracked: [...tracked, ...scripts] };
}

/** A checkout that stops half way is worse than a file that does not count before it was looked at. */
const VERSIONING = /\b(git|gh|glab|hg|jj|svn)\b/;

const HINT =
  "\n[what Sous or git obeys (.sous, .claude, .mcp.json, .git/hooks, your own configuration) is read-only for commands that do not name it; one that names the file asks the person]\n";

const CLAUDE = ["settings.json", "settings.local.json", "agents", "commands", "hooks"];

const upTo = (folder: string, root: string): string[] =>
  folder === root || dirname(folder) === folder ? [folder] : [...upTo(dirname(folder), root), folder];
