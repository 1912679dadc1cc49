// Private copies of a project's current state, and what became of them.

export type Worktree = {
  /** The folder of the copy. */
  readonly root: string;
  /** Where the state it was made from is kept, out of the agent's reach. */
  readonly store: string;
  /** The commit that holds the state it was copied from: uncommitted and untracked files too. */
  readonly base: string;
  readonly branch: string;
};

export type WorktreeOrder = {
  /** The folder that is copied: a repository's top, or any folder. */
  readonly source: string;
  /** Where the copy goes; must not exist. */
  readonly place: string;
  readonly branch: string;
  /** Folders inside the source that are no part of it: our own state, where it is kept there. */
  readonly leaveOut?: readonly string[];
  /** Whether agents may read a file of the source: what they may not is not brought by `.worktreeinclude`. */
  mayRead?(path: string): boolean;
};

/** A file that `.worktreeinclude` names and that is not in the copy. */
export type LeftOut = { readonly path: string; readonly reason: string };

/** One file that differs from the base. Blobs are named by git; null: there is no file. */
export type WorktreeChange = {
  /** From the copy's root. */
  readonly path: string;
  readonly before: Blob | null;
  readonly after: Blob | null;
  readonly added: number | null;
  readonly removed: number | null;
  /** Why it is no file that could be brought back: it stays in the copy, and the copy stays for it. */
  readonly apart?: string;
};
export type Blob = { readonly id: string; readonly kind: "file" | "executable" | "link" };

export type Made =
  | { readonly ok: true; readonly worktree: Worktree; readonly leftOut: readonly LeftOut[] }
  | { readonly ok: false; readonly problem: string };

export type Kept =
  | {
      readonly ok: true;
      readonly branch: string;
      readonly commit: string;
      /** The branch with what else stood in its repository, where there was more than its branch. */
      readonly rest?: string;
    }
  | { readonly ok: false; readonly problem: string };

export interface Worktrees {
  /** Leaves nothing behind when it does not succeed. */
  make(order: WorktreeOrder, signal: AbortSignal): Promise<Made>;
  /**
   * Committed or not, and untracked files too; what the project itself ignores is left out. What only its repository
   * holds (a stash, other branches, what was only staged) stands apart.
   */
  changes(worktree: Worktree, signal: AbortSignal): Promise<readonly WorktreeChange[]>;
  /** Line by line, as git writes it; `paths` from the copy's root, none: all. */
  diff(worktree: Worktree, paths: readonly string[], signal: AbortSignal): Promise<string>;
  /** Proved: no commit, branch or stash stands in it but the state it was made from. */
  hasNoCommits(worktree: Worktree): Promise<boolean>;
  read(worktree: Worktree, blob: Blob): Promise<Uint8Array>;
  /** The name git would give to these bytes. */
  idOf(worktree: Worktree, bytes: Uint8Array): string;
  /** Its work as its branch in the repository at `source`; `message` for what was not committed. */
  keep(worktree: Worktree, source: string, message: string, signal: AbortSignal): Promise<Kept>;
  /** Removes what calls that were cut off have left in the store. */
  tidy(worktree: Worktree): Promise<void>;
  /** The copy and its store, whatever its agent made of them. */
  remove(place: Pick<Worktree, "root" | "store">): Promise<void>;
  /** Three texts to one; undefined where they cannot be joined line by line. */
  merge(ours: Uint8Array, base: Uint8Array, theirs: Uint8Array): Promise<Uint8Array | undefined>;
}
