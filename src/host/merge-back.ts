// Brings what an agent changed in its own copy back into the project: planned whole first, then written file by file,
// each kept for undo.
import { lstat, mkdir, readlink, realpath, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readWhole } from "../adapters/workspaces/read-file.ts";
import { replaceFile } from "../adapters/workspaces/replace-file.ts";
import { linkState } from "../core/link-state.ts";
import { type FileId, mergeStep } from "../core/merge-plan.ts";
import type { FileChange } from "../core/tool-outcome.ts";
import type { Undo } from "../ports/undo.ts";
import type { WholeFile } from "../ports/workspace.ts";
import type { Blob, Worktree, WorktreeChange, Worktrees } from "../ports/worktrees.ts";

export type MergeFile = {
  /** From the project's root. */
  readonly path: string;
  readonly change: "created" | "changed" | "deleted";
  readonly added: number | null;
  readonly removed: number | null;
  /** What bringing it back would do. */
  readonly is: "replace" | "nothing" | "join" | "conflict" | "apart";
  readonly because?: string;
};

/** A file with all that is needed to write it. */
export type Planned = MergeFile & {
  readonly now: Extract<WholeFile, { ok: true }> | null;
  /** Where it leads, where a link stands in the project. */
  readonly link: string | undefined;
  readonly after: Blob | null;
  readonly bytes: Uint8Array | null;
};

export type MergeParts = {
  readonly worktrees: Worktrees;
  readonly worktree: Worktree;
  /** The real path of the project's root. */
  readonly target: string;
};

const MOST_BYTES = 64 * 1024 * 1024;
const never = new AbortController().signal;

/** `known` are its changes, where they were just looked up. */
export async function planMerge(
  parts: MergeParts,
  signal: AbortSignal = never,
  known?: readonly WorktreeChange[],
): Promise<readonly Planned[]> {
  const changes = known ?? (await parts.worktrees.changes(parts.worktree, signal));
  const planned: Planned[] = [];
  for (const change of changes) planned.push(await planFile(parts, change));
  return planned;
}

async function planFile({ worktrees, worktree, target }: MergeParts, change: WorktreeChange): Promise<Planned> {
  const { path, before, after, added, removed } = change;
  const full = join(target, path);
  const kind = before === null ? "created" : after === null ? "deleted" : "changed";
  const plan = (is: MergeFile["is"], more: Partial<Planned> = {}): Planned => ({
    path,
    change: kind,
    added,
    removed,
    is,
    now: null,
    link: undefined,
    after,
    bytes: null,
    ...more,
  });
  if (change.apart !== undefined) return plan("apart", { because: change.apart });
  const found = await lookAt(full, target);
  if ("problem" in found) return plan("conflict", { because: found.problem });
  const { now, link } = found;
  const id: FileId =
    link !== undefined
      ? { id: worktrees.idOf(worktree, Buffer.from(link)), kind: "link" }
      : now && { id: worktrees.idOf(worktree, now.bytes), kind: (now.mode & 0o111) === 0 ? "file" : "executable" };
  const step = mergeStep({ path, before, after }, id);
  const known = { now, link };
  if (step.is === "conflict") return plan("conflict", { ...known, because: step.because });
  if (step.is === "nothing") return plan("nothing", known);
  const theirs = after && (await worktrees.read(worktree, after));
  if (step.is === "replace") return plan("replace", { ...known, bytes: theirs });
  if (!now || !before || !after || !theirs) return plan("conflict", { ...known, because: "it cannot be read here" });
  const joined = await worktrees.merge(now.bytes, await worktrees.read(worktree, before), theirs);
  // Joined before: nothing is left of it.
  if (joined && after.kind === id?.kind && Buffer.compare(joined, now.bytes) === 0) return plan("nothing", known);
  if (joined) return plan("join", { ...known, bytes: joined });
  return plan("conflict", { ...known, because: "the same lines were changed here and there" });
}

type Looked =
  { readonly now: Extract<WholeFile, { ok: true }> | null; readonly link?: string } | { readonly problem: string };

/** What stands in the project now; nothing is followed out of it. */
async function lookAt(full: string, target: string): Promise<Looked> {
  const folder = await nearestFolder(dirname(full));
  if (folder !== target && !folder.startsWith(`${target}/`)) return { problem: "its folder leads out of the project" };
  const stat = await lstat(full).catch(() => undefined);
  if (stat?.isSymbolicLink()) return { now: null, link: await readlink(full) };
  if (stat && !stat.isFile()) return { problem: "something that is no file stands in its place" };
  const now = await readWhole(full, MOST_BYTES, never);
  if (now.ok) return { now };
  return now.missing ? { now: null } : { problem: now.problem };
}

/** The real path of the deepest folder that is there. */
const nearestFolder = (path: string): Promise<string> =>
  realpath(path).catch(() => (dirname(path) === path ? path : nearestFolder(dirname(path))));

export type Applied = { readonly files: readonly FileChange[]; readonly failed: readonly string[] };

/** Only what has no conflict: the caller has looked. A file that somebody changes meanwhile is left, and named. */
export async function applyMerge(planned: readonly Planned[], target: string, undo: Undo): Promise<Applied> {
  const files: FileChange[] = [];
  const failed: string[] = [];
  for (const file of planned) {
    if (file.is !== "replace" && file.is !== "join") continue;
    // What cannot be written is named like what was changed: the others are not held up by it.
    const done = await applyFile(file, join(target, file.path), undo).catch((error: Error) => error.message);
    if (typeof done === "string") failed.push(`${file.path} ${done}`);
    else files.push(done);
  }
  return { files, failed };
}

async function applyFile(file: Planned, path: string, undo: Undo): Promise<FileChange | string> {
  const { now, link, after, bytes } = file;
  if (now) await undo.keep(now.version.hash, now.bytes);
  const isLink = link !== undefined;
  const old = {
    before: isLink ? linkState(link) : (now?.version.hash ?? null),
    ...(now && { mode: now.mode }),
  };
  const base = { path, change: file.change, ...(file.added !== null && { added: file.added }) };
  const change = { ...base, ...(file.removed !== null && { removed: file.removed }), ...old };
  if (isLink || after === null || bytes === null || after.kind === "link") {
    const stale = await isStale(path, now, link);
    if (stale) return "was changed meanwhile";
    if (old.before !== null) await undo.note({ path, ...old, after: null, folders: [] });
    await rm(path, { force: true });
    if (after?.kind === "link" && bytes) {
      const made = linkState(Buffer.from(bytes).toString("utf8"));
      await undo.note({ path, ...old, after: made, folders: [] });
      await mkdir(dirname(path), { recursive: true });
      await symlink(Buffer.from(bytes), path);
      return { ...change, after: made };
    }
    if (after === null || bytes === null) return { ...change, after: null };
  }
  const mode = after.kind === "executable" ? (now?.mode ?? 0o644) | 0o111 : now ? now.mode & ~0o111 : undefined;
  const written = await replaceFile(
    {
      path,
      bytes,
      expected: isLink ? null : (now?.version.stamp ?? null),
      announce: ({ after: hash, folders, temp }) => undo.note({ path, ...old, after: hash, folders, temp }),
    },
    mode === undefined ? {} : { mode },
  );
  if (!written.ok) return written.problem;
  const hash = written.version.hash;
  return {
    ...change,
    hash: hash.slice(0, 16),
    after: hash,
    ...(written.folders.length > 0 && { folders: written.folders }),
  };
}

async function isStale(path: string, now: Planned["now"], link: string | undefined): Promise<boolean> {
  if (link !== undefined) return (await readlink(path).catch(() => undefined)) !== link;
  const found = await readWhole(path, MOST_BYTES, never);
  return found.ok ? found.version.stamp !== now?.version.stamp : now !== null;
}
