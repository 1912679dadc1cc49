// A person's decision about a copy, and a sentence about what came of it.
import type { SessionState } from "../../core/session-state.ts";
import type { Steered } from "../../ports/spawner.ts";
import { type Conflicted, type CopyTree, applyCopy, discardCopy, keepCopy } from "./copy-actions.ts";
import { count } from "../../std/count.ts";

export type CopyWish = {
  readonly action: "apply" | "keep" | "discard";
  readonly files: readonly string[];
  /** Where relative names begin, besides the project's root. */
  readonly from?: string;
};

export type Decided =
  | Steered<{
      readonly said: string;
      readonly applied?: readonly string[];
      readonly already?: readonly string[];
      readonly left?: readonly string[];
      readonly branch?: string;
    }>
  | (Conflicted & { readonly root?: string; readonly branch?: string });

export async function decideCopy(tree: CopyTree, owner: SessionState, { action, ...wish }: CopyWish): Promise<Decided> {
  const by = "person";
  if (action === "apply") {
    const { root, branch } = owner.copy ?? {};
    const done = await applyCopy(tree, owner, { ...wish, by, note: true });
    if (!done.ok) return { ...done, ...(root !== undefined && { root }), ...(branch !== undefined && { branch }) };
    const applied = done.applied.map(({ path }) => path);
    const { already, left } = done;
    const rest =
      left.length > 0 ? `${count(left.length, "file")} still open` : "nothing is left in its copy, which is gone";
    return {
      ok: true,
      said: `${count(applied.length, "file")} of ${owner.path} applied; ${rest}`,
      applied,
      already,
      left,
    };
  }
  if (action === "keep") {
    const done = await keepCopy(tree, owner, by);
    if (!done.ok) return done;
    const more = done.rest === undefined ? "" : ` (what else its repository held: ${done.rest})`;
    return {
      ok: true,
      said: `the work of ${owner.path} is the branch ${done.branch}${more}; its copy is gone`,
      branch: done.branch,
    };
  }
  const done = await discardCopy(tree, owner, by);
  return done.ok ? { ok: true, said: `the work of ${owner.path} is thrown away` } : done;
}
