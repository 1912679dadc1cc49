// The files of a project that can make something run or widen what may run: configuration, settings and agents. What
// they hold is remembered when a person trusts the project, so that a change can be shown before it counts.
import { createHash } from "node:crypto";
import { lstatSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** By path from the root: the text, or for a large file its hash. */
export type ActingFiles = Readonly<Record<string, string>>;

const FILES = [".sous/config.json", ".claude/settings.json", ".claude/settings.local.json"];
const FOLDERS = [".sous/agents", ".claude/agents"];
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

function add(found: Record<string, string>, root: string, path: string): void {
  try {
    if (!lstatSync(path).isFile()) return void (found[relative(root, path)] = "(not a plain file)");
    const text = readFileSync(path, "utf8");
    found[relative(root, path)] = text.length <= MOST_TEXT ? text : `sha256 ${hash(text)}`;
  } catch (error) {
    // What is not there says nothing; what cannot be read is not what was trusted.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") found[relative(root, path)] = "(cannot be read)";
  }
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
