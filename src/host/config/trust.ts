// Which folders the person trusts, and as what. Trust belongs to the real path of a project's root, and nothing in the
// project is read to find it: a repository inside a trusted one, or reached by a link, is its own. It holds for the
// configuration as the person saw it: what has changed since does not count until it was looked at.
import { createHash } from "node:crypto";
import { realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isObject } from "../../core/json.ts";
import { HostError } from "../host-error.ts";
import { isThere } from "../is-there.ts";
import { type ActingFiles, TOO_MANY, actingFiles } from "./acting-files.ts";
import { readJsonFile } from "./read-json-file.ts";
import { writePrivate } from "./write-private.ts";

/** The nearest folder with a `.git`, below the person's home; else the folder itself. `folder` is a real path. */
export function projectRoot(folder: string, home: string | undefined): string {
  const top = realOrNone(home);
  for (let at = folder; ; at = dirname(at)) {
    if (at === top && at !== folder) return folder;
    if (isThere(join(at, ".git"))) return at;
    if (dirname(at) === at) return folder;
  }
}

export const trustFile = (stateDir: string): string => join(stateDir, "trust.json");

/** Makes it where there is none, so that nobody else does. */
export function keepTrustFile(stateDir: string): string {
  const path = trustFile(stateDir);
  try {
    writeFileSync(path, listed([]), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return path;
}

/** What a file that acts held when it was trusted, and what it holds now. */
export type Difference = {
  readonly path: string;
  readonly was?: string;
  readonly now?: string;
  /** It may have been there: an earlier version of Sous did not remember such files. */
  readonly unrecorded?: true;
};
export type Trust =
  | { readonly is: "trusted"; readonly acting: ActingFiles }
  | { readonly is: "not trusted" }
  /** The folder is trusted, and all in it that is as it was; these are not. */
  | { readonly is: "changed"; readonly acting: ActingFiles; readonly differences: readonly Difference[] };

/** For somebody who works in `cwd`, file by file. What cannot be read is not trusted. */
export function trustIn(stateDir: string, root: string, cwd: string = root, reading?: ActingFiles): Trust {
  const seen = seenFiles(stateDir, root);
  if (!seen || !(trustedFolders(stateDir) ?? []).includes(root)) return { is: "not trusted" };
  const acting = reading ?? actingFiles(root, cwd);
  const differences = differencesBetween(seen, acting, root, cwd);
  return differences.length > 0 ? { is: "changed", acting, differences } : { is: "trusted", acting };
}

function differencesBetween(seen: Seen, now: ActingFiles, root: string, cwd: string): Difference[] {
  // What is named by other files may be out of sight because they are: they tell.
  const gone = Object.keys(seen).filter((path) => !(path in now) && isInScope(path, root, cwd) && isNamed(path));
  const changed = Object.entries(now).flatMap(([path, { mark }]) =>
    mark === seen[path] && mark !== TOO_MANY ? [] : [{ path, was: seen[path], now: mark }],
  );
  const all = [...changed, ...gone.map((path) => ({ path, was: seen[path], now: undefined }))];
  return all.map(({ path, was, now: is }) => ({
    path,
    ...(was !== undefined && { was }),
    ...(is !== undefined && { now: is }),
    ...(was === undefined && isUnrecorded(path, seen) && { unrecorded: true }),
  }));
}

/** Records without any instructions may be from when these, and what they import, were not remembered. */
const isUnrecorded = (path: string, seen: Seen): boolean =>
  !Object.keys(seen).some(isInstruction) && (isInstruction(path) || !isNamed(path));

const isInstruction = (path: string): boolean => /(^|\/)(AGENTS|CLAUDE)\.md$/.test(path);

/** Files that count by their own names. */
const isNamed = (path: string): boolean =>
  /(^|\/)(\.sous\/config\.json|\.claude\/settings(\.local)?\.json|\.(sous|claude)\/agents\/.*|(AGENTS|CLAUDE)\.md)$/.test(
    path,
  );

/** What a file held when the folder was last trusted; undefined too where it was too large to be kept. */
export function trustedText(stateDir: string, root: string, path: string): string | undefined {
  if (!(trustedFolders(stateDir) ?? []).includes(root)) return undefined;
  const text = seenFiles(stateDir, root)?.[path];
  return text?.startsWith("sha256 ") ? undefined : text;
}

export const isTrusted = (stateDir: string, root: string, cwd?: string): boolean =>
  trustIn(stateDir, root, cwd).is === "trusted";

/** Real paths; undefined when the file is damaged. */
export function trustedFolders(stateDir: string): readonly string[] | undefined {
  const file = readJsonFile(trustFile(stateDir), { follow: false });
  if (file.is === "missing") return [];
  const folders = file.is === "read" && isObject(file.value) ? file.value["folders"] : undefined;
  return Array.isArray(folders) && folders.every((one) => typeof one === "string") ? folders : undefined;
}

/** Exactly as it was read, for somebody who works in `cwd`: what changes after the reading is not trusted. */
export function trust(
  stateDir: string,
  root: string,
  cwd: string = root,
  reading: ActingFiles = actingFiles(root, cwd),
): void {
  const folders = trustedFolders(stateDir);
  if (!folders) throw new HostError(`${trustFile(stateDir)} is damaged: mend or remove it`, "failed");
  const elsewhere = Object.entries((folders.includes(root) && seenFiles(stateDir, root)) || {}).filter(
    ([path]) => !isInScope(path, root, cwd) || !isNamed(path),
  );
  const now = Object.entries(reading).map(([path, { mark }]) => [path, mark] as const);
  const files = bounded({ ...Object.fromEntries(elsewhere), ...Object.fromEntries(now) });
  writePrivate(seenFile(stateDir, root), `${JSON.stringify({ root, files }, undefined, 2)}\n`);
  if (!folders.includes(root)) save(stateDir, [...folders, root]);
}

/** Whether it was trusted before. */
export function distrust(stateDir: string, root: string): boolean {
  const folders = trustedFolders(stateDir) ?? [];
  if (!folders.includes(root)) return false;
  save(
    stateDir,
    folders.filter((one) => one !== root),
  );
  rmSync(seenFile(stateDir, root), { force: true });
  return true;
}

const save = (stateDir: string, folders: readonly string[]): void => writePrivate(trustFile(stateDir), listed(folders));
const listed = (folders: readonly string[]): string => `${JSON.stringify({ folders }, undefined, 2)}\n`;

const seenFile = (stateDir: string, root: string): string =>
  join(stateDir, "trust", `${createHash("sha256").update(root).digest("hex").slice(0, 32)}.json`);

/**
 * undefined: nobody ever trusted it. This record is what trust stands on: a command can be kept from its folder for as
 * long as it runs, but from the list only until the next one takes the list's place.
 */
function seenFiles(stateDir: string, root: string): Seen | undefined {
  const file = readJsonFile(seenFile(stateDir, root), { follow: false, most: MOST_RECORD });
  const files =
    file.is === "read" && isObject(file.value) && file.value["root"] === root ? file.value["files"] : undefined;
  return isObject(files) ? Object.fromEntries(Object.entries(files).filter(isText)) : undefined;
}

/** What was remembered of each file. */
type Seen = Readonly<Record<string, string>>;
const MOST_RECORD = 64 * 1024 * 1024;
const MOST_TEXTS = 16 * 1024 * 1024;

/** More would not be read again. */
function bounded(files: Seen): Seen {
  const size = Object.values(files).reduce((sum, text) => sum + text.length, 0);
  if (size <= MOST_TEXTS) return files;
  throw new HostError(
    `the files of the project that act hold ${size} characters, more than can be remembered`,
    "failed",
  );
}

const isText = (pair: [string, unknown]): pair is [string, string] => typeof pair[1] === "string";

/** Whether a file stands in a folder from the root down to `cwd`. */
function isInScope(path: string, root: string, cwd: string): boolean {
  const folder = join(root, path.split(/(?:^|\/)(?:\.(?:sous|claude)\/|(?:AGENTS|CLAUDE)\.md$)/)[0] ?? "");
  return cwd === folder || cwd.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

function realOrNone(path: string | undefined): string | undefined {
  try {
    return path === undefined ? undefined : realpathSync(path);
  } catch {
    return undefined;
  }
}
