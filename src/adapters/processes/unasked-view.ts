// What a command sees that nobody was asked about, as arguments for bubblewrap: programs and libraries of the system, the
// folders it may read, and nothing else; all of it read-only. A command that was misjudged finds nothing to take or change.
import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readBoundedSync } from "../files/read-bounded.ts";
import { SYSTEM_FOLDERS } from "./find-program.ts";
import { type Mount, mountPlan } from "./mount-plan.ts";
import type { Spare } from "./spare.ts";

export type Unasked = {
  readonly readable: readonly string[];
  /** Folders of programs, as in PATH. */
  readonly programs: readonly string[];
};

/** `say` puts a mount into bubblewrap's words. */
export function unaskedView(
  { readable, programs }: Unasked,
  spare: Spare | undefined,
  say: (mount: Mount) => readonly string[],
): readonly string[] {
  const roots = [...new Set([...readable, ...readable.flatMap(repositoryOf)])];
  const inside = (path: string): boolean => roots.some((root) => path === root || path.startsWith(`${root}/`));
  const hidden = spare && {
    ...spare,
    ...{ hide: spare.hide.filter(inside), mute: spare.mute.filter(inside) },
  };
  return [
    ...TREES.flatMap(asItIs),
    ...CONFIGURATION.flatMap((name) => readOnly(`/etc/${name}`)),
    ...["--tmpfs", "/tmp", "--dir", "/var/tmp"],
    ...programs.filter((folder) => !SYSTEM_FOLDERS.includes(folder)).flatMap(readOnly),
    ...roots.flatMap(readOnly),
    ...(hidden ? mountPlan(hidden, { write: [], protect: [] }).flatMap(say) : []),
    ...["--unshare-net", "--unshare-ipc"],
    // Root reads what others own, as it does elsewhere; nothing is left that it could write.
    ...(process.getuid?.() === 0 ? ["--cap-drop", "ALL", "--cap-add", "CAP_DAC_OVERRIDE"] : []),
  ];
}

const TREES = [
  ...["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"],
  ...["/nix/store", "/nix/var/nix/profiles", "/run/current-system", "/opt/homebrew", "/opt/local"],
  "/home/linuxbrew/.linuxbrew",
];

/** Of /etc only what programs need to start and to name things: no keys, no passwords. */
const CONFIGURATION = [
  ...["alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "passwd", "group", "nsswitch.conf", "hosts"],
  ...["localtime", "timezone", "locale.alias", "locale.conf", "os-release", "terminfo", "inputrc", "magic"],
  ...["mime.types", "protocols", "services", "gitattributes", "DIR_COLORS", "static"],
];

const readOnly = (path: string): string[] => ["--ro-bind-try", path, path];

/** /bin is a link to /usr/bin on most systems. */
const asItIs = (path: string): string[] =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()
    ? ["--symlink", readlinkSync(path), path]
    : readOnly(path);

/** Where a repository's own folder and its objects stand outside of the folder: a linked work tree, a copy of ours. */
function repositoryOf(root: string): string[] {
  const git = join(root, ".git");
  const named = /^gitdir: (.+)$/m.exec(readSmall(git))?.[1];
  const folder = named === undefined ? git : resolve(root, named.trim());
  const common = resolve(folder, readSmall(join(folder, "commondir")).trim() || ".");
  const shared = readSmall(join(common, "objects/info/alternates")).split("\n");
  const objects = shared.flatMap((line) => (line ? [resolve(join(common, "objects"), line)] : []));
  return [...new Set([folder, common].filter(isRepository)), ...objects.filter((path) => isRepository(dirname(path)))];
}

/** What only says that it is one is not shown. */
const isRepository = (folder: string): boolean =>
  ["HEAD", "objects", "refs"].every((name) => existsSync(join(folder, name))) || existsSync(join(folder, "commondir"));

/** Empty for what is no small file of its own: the engine waits for nobody here. */
function readSmall(path: string): string {
  const found = readBoundedSync(path, { most: MOST_SMALL, noLink: true });
  return found.ok ? found.bytes.toString("utf8") : "";
}

const MOST_SMALL = 100_000;
