// The files that a session's tools changed, and the way back. What its commands changed is not among them: only tools
// keep what they replace.
import { existsSync, mkdirSync, realpathSync, rmSync, symlinkSync, unlinkSync } from "node:fs";
import { readlink, rmdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { treeFolder } from "../adapters/log/layout.ts";
import { clearTemps } from "../adapters/undo/clear-temps.ts";
import { createFileUndo, type FileUndo } from "../adapters/undo/file-undo.ts";
import { realPath } from "../adapters/workspaces/real-path.ts";
import { readWhole } from "../adapters/workspaces/read-file.ts";
import { replaceFile } from "../adapters/workspaces/replace-file.ts";
import type { SessionId } from "../core/ids.ts";
import { linkState, linkTarget } from "../core/link-state.ts";
import type { WholeFile } from "../ports/workspace.ts";
import { count } from "../std/count.ts";
import { type EditedFile, editedFiles, REVERTED } from "./changed-files.ts";
import { HostError } from "./host-error.ts";
import { openSession } from "./open-session.ts";
import { type Scope, sessionsIn } from "./project-scope.ts";
import { readState } from "./session-store.ts";
import { copiesFolder } from "./workspaces/copy-place.ts";

/** `as left`: nobody touched it since. `as before`: the change is taken back already. */
export type ChangedFile = EditedFile & { readonly state: "as left" | "as before" | "changed since" | "gone" };
export type Changes = {
  readonly session: SessionId;
  readonly cwd: string;
  readonly files: readonly ChangedFile[];
  readonly notices: readonly string[];
};

/** Sessions whose tools may have changed files, newest first. */
export async function sessionsWithChanges(stateDir: string, scope: Scope): Promise<SessionId[]> {
  const trees: SessionId[] = [];
  for await (const tree of sessionsIn(stateDir, scope))
    if (existsSync(undoFolder(stateDir, tree)) || existsSync(copiesFolder(treeFolder({ stateDir, tree }))))
      trees.push(tree);
  return trees;
}

export async function listChanges(stateDir: string, session: SessionId): Promise<Changes> {
  const { state, events, notices } = await readState(stateDir, session);
  const notes = await undoOf(stateDir, session).notes();
  const found = new Map<string, string | null | undefined>();
  for (const { path } of notes) if (!found.has(path)) found.set(path, await standsAt(path));
  const hashNow = (path: string): string | null | undefined => found.get(path);
  const files: ChangedFile[] = [];
  const copies = `${await realPath(copiesFolder(treeFolder({ stateDir, tree: session })))}/`;
  for (const file of editedFiles(events, notes, hashNow)) {
    // What an agent did in a copy of its own is another question.
    if (file.path.startsWith(copies)) continue;
    if (!found.has(file.path)) found.set(file.path, await standsAt(file.path));
    files.push({ ...file, state: stateOf(file, hashNow(file.path)) });
  }
  const cwd = state.sessions.get(session)?.opened?.binding.cwd ?? "/";
  return { session, cwd, files, notices };
}

export type RevertWish = {
  /** Only these, as a person wrote them; left out: all. */
  readonly files?: readonly string[];
  /** Where relative names begin. */
  readonly from?: string;
  /** Also files that somebody else has changed. */
  readonly force?: boolean;
};
export type Reverted = { readonly reverted: readonly string[]; readonly untouched: readonly string[] };

/** All that is asked for or nothing: what stands in the way is found before the first file is touched. */
export async function revertChanges(stateDir: string, session: SessionId, wish: RevertWish = {}): Promise<Reverted> {
  const open = await openSession(stateDir, session, "existing", () => {});
  try {
    const undo = undoOf(stateDir, session);
    await clearTemps(undo);
    const changes = await listChanges(stateDir, session);
    const wanted = chooseChanged(changes, wish);
    const todo = wanted.filter((file) => file.state !== "as before");
    mustBeOurs(todo, wish.force ?? false);
    const contents = new Map<string, Buffer>();
    for (const { path, before } of todo)
      if (before !== null && linkTarget(before) === undefined) contents.set(path, await mustHave(undo, path, before));
    for (const file of todo) await revertFile(file, contents.get(file.path));
    await removeEmpty(todo.flatMap((file) => file.folders));
    if (todo.length > 0) {
      const files = todo.map((file) => file.path);
      const event = {
        type: "note.added",
        kind: REVERTED,
        text: `${count(files.length, "file")} reverted`,
        details: { files },
      } as const;
      const never = new AbortController().signal;
      const { seq } = await open.writer.record(open.origin, event, never);
      await open.writer.durable(seq, open.origin, never);
    }
    const untouched = wanted.filter((file) => file.state === "as before").map((file) => file.path);
    return { reverted: todo.map((file) => file.path), untouched };
  } finally {
    await open.log.close();
  }
}

/** What a file held before the session's first edit; undefined when it is no longer kept. */
export async function contentBefore(stateDir: string, session: SessionId, state: string): Promise<Buffer | undefined> {
  const target = linkTarget(state);
  return target === undefined ? undoOf(stateDir, session).content(state) : Buffer.from(target);
}

/** null: it is not there, or cannot be read. */
export async function contentNow(path: string): Promise<{ readonly bytes: Uint8Array; readonly mode: number } | null> {
  const now = await look(path);
  return now.ok ? now : null;
}

/** Twice what a tool edits: what is larger now was changed by somebody else. */
const MOST_BYTES = 64 * 1024 * 1024;

const undoFolder = (stateDir: string, tree: SessionId): string => join(treeFolder({ stateDir, tree }), "undo");
const undoOf = (stateDir: string, tree: SessionId): FileUndo => createFileUndo(undoFolder(stateDir, tree));
const look = (path: string): Promise<WholeFile> => readWhole(path, MOST_BYTES, new AbortController().signal);

/** A file by its hash, a link by where it leads; null: nothing is there, undefined: it cannot be told. */
async function standsAt(path: string): Promise<string | null | undefined> {
  const target = await readlink(path).catch(() => undefined);
  if (target !== undefined) return linkState(target);
  const file = await look(path);
  return file.ok ? file.version.hash : file.missing ? null : undefined;
}

function stateOf(file: EditedFile, now: string | null | undefined): ChangedFile["state"] {
  if (now === file.before) return "as before";
  if (now === file.after) return "as left";
  return now === null ? "gone" : "changed since";
}

/** The files that a person named, or all. */
export function chooseChanged(changes: Changes, { files, from }: RevertWish): readonly ChangedFile[] {
  if (!files || files.length === 0) return changes.files;
  return files.map((name) => {
    const places = [resolve(from ?? changes.cwd, name), resolve(changes.cwd, name)];
    const file = changes.files.find(({ path }) => places.includes(path));
    if (!file) throw new HostError(`${name} is not among the files this session changed; see sous changes show`);
    return file;
  });
}

function mustBeOurs(files: readonly ChangedFile[], force: boolean): void {
  const others = files.filter((file) => file.state !== "as left" || file.mixed);
  if (force || others.length === 0) return;
  const named = others.map((file) => `${file.path} (${file.state === "as left" ? "changed in between" : file.state})`);
  throw new HostError(
    `nothing was reverted: not only this session changed ${named.join(", ")}; --force reverts all the same, or name the files to revert`,
    "failed",
  );
}

async function mustHave(undo: FileUndo, path: string, hash: string): Promise<Buffer> {
  const content = await undo.content(hash);
  if (!content) throw new HostError(`nothing was reverted: the old content of ${path} is no longer kept`, "failed");
  return content;
}

async function revertFile(file: ChangedFile, content: Buffer | undefined): Promise<void> {
  const { path, mode } = file;
  const target = linkTarget(file.before);
  if (target !== undefined) return putLink(path, target);
  if (content && linkTarget((await standsAt(path)) ?? null) !== undefined) unlinkSync(path);
  if (!content) {
    if (file.state !== "gone") unlinkSync(path);
    return;
  }
  const now = await look(path);
  const expected = now.ok ? now.version.stamp : null;
  const order = { path, bytes: content, expected, announce: async () => {} };
  const written = await replaceFile(order, mode === undefined ? {} : { mode });
  if (!written.ok)
    throw new HostError(`${path} ${written.problem}: it was not reverted, run the command again`, "failed");
}

/** Nothing is put where its folder leads elsewhere by now. */
function putLink(path: string, target: string): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true });
  if (realpathSync(folder) !== folder)
    throw new HostError(`${path} is reached by a link: it was not reverted`, "failed");
  rmSync(path, { force: true });
  symlinkSync(target, path);
}

/** The deepest first; one that holds anything stays. */
async function removeEmpty(folders: readonly string[]): Promise<void> {
  for (const folder of [...new Set(folders)].sort((a, b) => b.length - a.length)) await rmdir(folder).catch(() => {});
}
