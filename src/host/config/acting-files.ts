// The files of a project that can make something run, widen what may run, or speak to a model: configuration, settings,
// agents, the scripts that these name, instructions and what they import. What they hold is remembered, file by file,
// when a person trusts the project, so that a change can be shown before it counts.
import { createHash } from "node:crypto";
import { type Dir, type Dirent, lstatSync, opendirSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { readBoundedSync } from "../../adapters/files/read-bounded.ts";
import { readInstructions } from "../../adapters/instructions/read-instructions.ts";
import { commandsIn, scriptWords } from "../../core/hooks/named-scripts.ts";
import { instructionFiles } from "../instructions.ts";
import { type JsonFile, parseJsonText } from "./read-json-file.ts";

export type ActingFile = {
  /** What is remembered of it: its text, or of a large file or a script its hash. */
  readonly mark: string;
  readonly text?: string;
  /** Scripts that it names, as paths from the root. */
  readonly scripts?: readonly string[];
};
/** By path from the root. */
export type ActingFiles = Readonly<Record<string, ActingFile>>;

const FILES = [".sous/config.json", ".claude/settings.json", ".claude/settings.local.json"];
const FOLDERS = [".sous/agents", ".claude/agents"];
const MOST_BYTES = 1024 * 1024;
const MOST_TEXT = 64 * 1024;
const MOST_ENTRIES = 50_000;
const MOST_FILES = 5_000;
/** As in the folders that definitions are read from. */
const NEVER = new Set(["memory", "node_modules", ".git"]);

/** Never the same as what was trusted. */
export const TOO_MANY = "(more files than are looked at)";

/** For somebody who works in `cwd`: everything from the root down to there. */
export function actingFiles(root: string, cwd: string): ActingFiles {
  const found: Record<string, ActingFile> = {};
  for (const folder of upTo(cwd, root)) {
    for (const name of FILES)
      if (isDirect(found, root, join(folder, dirname(name)))) add(found, root, join(folder, name));
    for (const name of FOLDERS)
      if (isDirect(found, root, join(folder, dirname(name))) && isDirect(found, root, join(folder, name)))
        addFolder(found, root, join(folder, name));
  }
  addScripts(found, root, cwd);
  addInstructions(found, root, cwd);
  return found;
}

/** What a project obeys stands where it says: a folder that is a link is not followed, and remembered as one. */
function isDirect(found: Record<string, ActingFile>, root: string, folder: string): boolean {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  if (stat?.isSymbolicLink()) found[relative(root, folder)] = { mark: `(a link to ${readlinkSync(folder)})` };
  return stat?.isDirectory() === true;
}

function add(found: Record<string, ActingFile>, root: string, path: string): void {
  const link = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()
    ? `(a link to ${readlinkSync(path)})\n`
    : "";
  const file = readBoundedSync(path, { most: MOST_BYTES, within: root });
  if (!file.ok && file.code === "missing" && link === "") return;
  const text = file.ok ? file.bytes.toString("utf8") : undefined;
  // What cannot be read is not what was trusted.
  const mark = link + (text ?? (file.ok ? "" : `(it ${file.reason})`));
  const kept = mark.length <= MOST_TEXT ? mark : `sha256 ${hash(mark)}`;
  found[relative(root, path)] = { mark: kept, ...(text !== undefined && { text }) };
}

function addFolder(found: Record<string, ActingFile>, root: string, top: string): void {
  let [entries, files] = [0, 0];
  const folders = [top];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of entriesOf(folder, MOST_ENTRIES)) {
      if (++entries > MOST_ENTRIES || files > MOST_FILES) return void (found[relative(root, top)] = { mark: TOO_MANY });
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !NEVER.has(entry.name)) folders.push(path);
      if (entry.isDirectory() || !/\.(md|json)$/i.test(entry.name)) continue;
      files++;
      add(found, root, path);
    }
  }
}

/** What cannot be listed cannot be read, either. */
function* entriesOf(folder: string, most: number): Generator<Dirent> {
  let open: Dir | undefined;
  try {
    open = opendirSync(folder);
    for (let n = 0, entry = open.readSync(); entry && n <= most; n++, entry = open.readSync()) yield entry;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  } finally {
    open?.closeSync();
  }
}

/** One that holds JSON. */
export function fileOf({ text, mark }: ActingFile): JsonFile {
  if (mark.startsWith("(a link to")) return { is: "bad", why: "is a symbolic link, which is not followed here" };
  return text === undefined ? { is: "bad", why: mark.replace(/^\(it |\)$/g, "") } : parseJsonText(text);
}

/** Only those in the project: what stands elsewhere is not its own to change. */
function addScripts(found: Record<string, ActingFile>, root: string, cwd: string): void {
  for (const [path, file] of Object.entries(found)) {
    const commands = file.text === undefined ? [] : commandsIn(path, file.text);
    const scripts = commands.flatMap((command) => scriptsOf(command, root, [root, cwd]));
    if (scripts.length === 0) continue;
    const named = scripts.map((script) => relative(root, script.path));
    found[path] = { ...file, scripts: [...new Set(named)] };
    for (const { path: script, mark } of scripts) found[relative(root, script)] ??= { mark };
  }
}

/** The scripts in the project that a command started in one of these folders runs. */
export function scriptsOf(
  command: string,
  root: string,
  folders: readonly string[],
): { readonly path: string; readonly mark: string }[] {
  const isFileOf = (path: string): boolean => {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat?.isFile() === true || stat?.isSymbolicLink() === true;
  };
  const found = scriptWords(command, root).flatMap((words) =>
    folders.flatMap((folder) => {
      const first = words
        .map((word) => resolve(folder, word))
        .find((path) => isInside(folder, root, path) && isFileOf(path));
      return first === undefined ? [] : [first];
    }),
  );
  return [...new Set(found)].map((path) => ({ path, mark: scriptMark(path) }));
}

const isInside = (folder: string, root: string, path: string): boolean =>
  [folder, root].some((one) => path.startsWith(`${one}/`));

function scriptMark(path: string): string {
  const file = readBoundedSync(path, { most: 16 * MOST_BYTES });
  const real = realOrNone(path);
  const way = real === path ? "" : `(a link to ${real === undefined ? "nothing" : relative(dirname(path), real)}) `;
  return file.ok
    ? `${way}sha256 ${createHash("sha256").update(file.bytes).digest("hex")}`
    : `${way}(it ${file.reason})`;
}

function addInstructions(found: Record<string, ActingFile>, root: string, cwd: string): void {
  const files = instructionFiles(cwd, root).map((path) => ({ path, name: relative(root, path) }));
  for (const { path, text } of readInstructions(files, { root, open: [] }).read) {
    // What is no prose (a file of keys, perhaps) is remembered, but not repeated.
    const mark = /\.(md|mdc|txt|rst)$/i.test(path) && text.length <= MOST_TEXT ? text : `sha256 ${hash(text)}`;
    found[relative(root, path)] ??= { mark, text };
  }
}

const upTo = (folder: string, root: string): string[] =>
  folder === root || dirname(folder) === folder ? [folder] : [...upTo(dirname(folder), root), folder];

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");

function realOrNone(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
