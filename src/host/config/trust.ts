// Which folders the person trusts. Trust belongs to the real path of a project's root, and nothing in the project is
// read to find it: a repository inside a trusted one, or reached by a link, is its own.
import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { isObject } from "../../core/json.ts";
import { HostError } from "../host-error.ts";
import { isThere } from "../is-there.ts";
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

/** What cannot be read is not trusted. */
export function isTrusted(stateDir: string, root: string): boolean {
  return (trustedFolders(stateDir) ?? []).includes(root);
}

/** Real paths; undefined when the file is damaged. */
export function trustedFolders(stateDir: string): readonly string[] | undefined {
  const file = readJsonFile(trustFile(stateDir), { follow: false });
  if (file.is === "missing") return [];
  const folders = file.is === "read" && isObject(file.value) ? file.value["folders"] : undefined;
  return Array.isArray(folders) && folders.every((one) => typeof one === "string") ? folders : undefined;
}

export function trust(stateDir: string, root: string): void {
  const folders = trustedFolders(stateDir);
  if (!folders) throw new HostError(`${trustFile(stateDir)} is damaged: mend or remove it`, "failed");
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
  return true;
}

const save = (stateDir: string, folders: readonly string[]): void =>
  writePrivate(trustFile(stateDir), `${JSON.stringify({ folders }, undefined, 2)}\n`);

function realOrNone(path: string | undefined): string | undefined {
  try {
    return path === undefined ? undefined : realpathSync(path);
  } catch {
    return undefined;
  }
}
