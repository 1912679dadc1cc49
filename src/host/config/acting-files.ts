// The files of a project that can make something run or widen what may run: configuration, settings and agents. What
// they hold is remembered when a person trusts the project, so that a change can be shown before it counts.
import { createHash } from "node:crypto";
import { lstatSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { readBoundedSync } from "../../adapters/files/read-bounded.ts";

/** By path from the root: the text, or for a large file its hash. */
export type ActingFiles = Readonly<Record<string, string>>;

const FILES = [".sous/config.json", ".claude/settings.json", ".claude/settings.local.json"];
const FOLDERS = [".sous/agents", ".claude/agents"];
const MOST_BYTES = 1024 * 1024;
const MOST_TEXT = 64 * 1024;
const MOST_FILES = 2_000;

/** For somebody who works in `cwd`: everything from the root down to there. */
export function actingFiles(root: string, cwd: string): ActingFiles {
  const found: Record<string, string> = {};
  for (const folder of upTo(cwd, root)) {
    for (const name of FILES) add(found, root, join(folder, name));
    for (const name of FOLDERS) addFolder(found, root, join(folder, name));
  }
  return found;
}

/** What is not there says nothing; what cannot be read is not what was trusted. */
function add(found: Record<string, string>, root: string, path: string): void {
  const file = readBoundedSync(path, { most: MOST_BYTES, noLink: true });
  if (!file.ok && file.code === "missing") return;
  const text = file.ok ? file.bytes.toString("utf8") : `(it ${file.reason})`;
  found[relative(root, path)] = text.length <= MOST_TEXT ? text : `sha256 ${hash(text)}`;
}

function addFolder(found: Record<string, string>, root: string, folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  if (entries.length > MOST_FILES) return void (found[relative(root, folder)] = `(more than ${MOST_FILES} files)`);
  for (const entry of entries)
    if (!entry.isDirectory() && /\.(md|json)$/.test(entry.name)) add(found, root, join(entry.parentPath, entry.name));
}

const upTo = (folder: string, root: string): string[] =>
  folder === root || dirname(folder) === folder ? [folder] : [...upTo(dirname(folder), root), folder];

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");
