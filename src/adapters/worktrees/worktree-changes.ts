// What differs between a copy as it stands and the state it was made from.
import { randomBytes } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import type { Blob, Worktree, WorktreeChange } from "../../ports/worktrees.ts";
import { join } from "node:path";
import { isRunning } from "../processes/is-running.ts";
import { addAll } from "./add-all.ts";
import { nameText, shownName } from "./path-names.ts";
import { runGit } from "./run-git.ts";
import { standsOnlyHere, storeWithCopy } from "./own-objects.ts";
import { standsApart } from "./stands-apart.ts";
import { tipOf } from "./tip-of.ts";

const KINDS: Readonly<Record<string, Blob["kind"]>> = { "100644": "file", "100755": "executable", "120000": "link" };

export async function worktreeChanges(worktree: Worktree, signal: AbortSignal): Promise<readonly WorktreeChange[]> {
  const { base, store } = worktree;
  const own = { gitDir: store, signal };
  const { tree, apart } = await stateNow(worktree, signal);
  const compare = ["--no-renames", "-r", "-z", "--no-ext-diff", "--no-textconv", base, tree];
  const [raw, counted] = [
    await runGit({ ...own, args: ["diff-tree", "--raw", "--no-abbrev", ...compare] }),
    await runGit({ ...own, args: ["diff-tree", "--numstat", ...compare] }),
  ];
  const counts = countsOf(counted.toString("latin1"));
  const files = changesOf(raw.toString("latin1")).map(({ name, ...change }) =>
    nameText(name) === undefined
      ? unnameable(worktree, name)
      : { path: shownName(name), ...change, ...(counts.get(name) ?? none) },
  );
  return [...files, ...apart, ...(await repositoryApart(worktree, tree, signal))];
}

/** What no program could write by a name of text stays, and is named as git would. A branch can hold it. */
function unnameable({ root }: Worktree, name: string): WorktreeChange {
  const path = shownName(name);
  const apart = `its name is not UTF-8; it stands in ${join(root, path)}, and sous changes keep makes it a branch`;
  return { path, before: null, after: null, ...none, apart };
}

/** Its repository, where it holds work that is neither in its files nor on the way to its branch's end. */
async function repositoryApart(worktree: Worktree, tree: string, signal: AbortSignal): Promise<WorktreeChange[]> {
  const saved = async (): Promise<string[]> => [tree, await tipOf(worktree, storeWithCopy(worktree, signal))];
  const reason = await standsOnlyHere(worktree, saved, signal);
  if (reason === undefined) return [];
  const place = join(worktree.root, ".git");
  return [{ path: ".git/", before: null, after: null, ...none, apart: `${reason}; it stands in ${place}` }];
}

export type StateNow = { readonly tree: string; readonly apart: readonly WorktreeChange[] };

/** The copy as it stands, kept as a tree in its store, and what no tree can hold. Several may ask at a time. */
export async function stateNow(worktree: Worktree, signal: AbortSignal): Promise<StateNow> {
  const { root, base, store } = worktree;
  const index = join(store, `index-${process.pid}-${randomBytes(6).toString("hex")}`);
  // Never the copy's own git folder: its configuration is the agent's.
  const own = { gitDir: store, workTree: root, index, cwd: root, signal };
  try {
    await runGit({ ...own, args: ["read-tree", base] });
    await addAll(own);
    const tree = (await runGit({ ...own, args: ["write-tree"] })).toString("utf8").trim();
    return { tree, apart: await standsApart(worktree, own) };
  } finally {
    await rm(index, { force: true });
  }
}

/** What processes that were killed meanwhile have left. */
export async function tidyStore({ store }: Pick<Worktree, "store">): Promise<void> {
  for (const name of await readdir(store).catch(() => [])) {
    const pid = /^index-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(store, name), { force: true });
  }
}

const none = { added: null, removed: null };

type Changed = Pick<WorktreeChange, "before" | "after"> & { readonly name: string };

/** `:mode mode id id letter NUL path NUL`, over and over. */
function changesOf(raw: string): Changed[] {
  const fields = raw.split("\0");
  const changes: Changed[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [from = "", to = "", before = "", after = ""] = (fields[at] ?? "").replace(/^:/, "").split(" ");
    changes.push({ name: fields[at + 1] ?? "", before: blob(from, before), after: blob(to, after) });
  }
  // A repository inside it is a link to a commit, and no file: it stands apart.
  return changes.filter(({ before, after }) => before !== null || after !== null);
}

function blob(mode: string, id: string): Blob | null {
  const kind = KINDS[mode];
  return kind ? { id, kind } : null;
}

function countsOf(numstat: string): Map<string, Pick<WorktreeChange, "added" | "removed">> {
  const count = (word: string): number | null => (/^\d+$/.test(word) ? Number(word) : null);
  return new Map(
    numstat.split("\0").flatMap((line) => {
      const [added, removed, path] = line.split("\t");
      return path === undefined ? [] : [[path, { added: count(added ?? ""), removed: count(removed ?? "") }]];
    }),
  );
}
