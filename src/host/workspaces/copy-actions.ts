// Decides what becomes of a copy: its changes are applied, all or some; it is kept as a branch; or it is thrown away.
// Nothing is half decided: what stands in the way is found first, and a copy is given up only after its work is safe.
import { isAbsolute, join, relative, resolve } from "node:path";
import { realPath } from "../../adapters/workspaces/real-path.ts";
import type { Json } from "../../core/json.ts";
import type { SessionState } from "../../core/session-state.ts";
import type { FileChange } from "../../core/tool-outcome.ts";
import { originOf } from "../../engine/runs/tree.ts";
import type { Refused, Steered } from "../../ports/spawner.ts";
import type { Undo } from "../../ports/undo.ts";
import { APPLIED } from "../changed-files.ts";
import { type Planned, applyMerge, planMerge } from "../merge-back.ts";
import { copyOwner } from "./copy-place.ts";
import { releaseCopy } from "./release-copy.ts";
import type { CopyPlaces } from "./report-copy.ts";
import { count } from "../../std/count.ts";

export type CopyTree = CopyPlaces & {
  readonly undo: Undo;
  /** It works, or will as soon as there is room. */
  isAtWork(session: SessionState): boolean;
};

export type ApplyWish = {
  /** Only these, from the root of the project or from `from`; none: all. */
  readonly files: readonly string[];
  readonly from?: string;
  /** Only these real paths may be changed; left out, all. */
  readonly allowed?: readonly string[];
  readonly by: string;
  /** No tool's result tells of it: it is recorded by itself. */
  readonly note?: boolean;
};
export type Applied = {
  readonly applied: readonly FileChange[];
  /** From the root of the project: those that were as they should be already, and those that are still to be decided. */
  readonly already: readonly string[];
  readonly left: readonly string[];
};

const never = new AbortController().signal;
const no = (problem: string): { ok: false; problem: string } => ({ ok: false, problem });

/** Nothing was applied: `others` of those that were meant could be. */
export type Conflicted = Refused & { readonly conflicts?: readonly string[]; readonly others?: readonly string[] };

export async function applyCopy(
  tree: CopyTree,
  owner: SessionState,
  wish: ApplyWish,
): Promise<Steered<Applied> | Conflicted> {
  const refused = mayNotDecide(tree, owner);
  if (refused !== undefined || !owner.copy) return no(refused ?? "");
  const { source } = owner.copy;
  const plan = await planMerge({ worktrees: tree.worktrees, worktree: owner.copy, target: source });
  const chosen = chooseFiles(plan, source, wish);
  if (typeof chosen === "string") return no(chosen);
  const named = wish.files.length > 0 && chosen.find(({ is }) => is === "apart");
  if (named) return no(`nothing was applied: ${named.path} cannot be, ${named.because}`);
  const conflicts = chosen.filter(({ is }) => is === "conflict");
  if (conflicts.length > 0)
    return {
      ...no(`nothing was applied: ${conflicts.map((file) => `${file.path} conflicts (${file.because})`).join(", ")}`),
      conflicts: conflicts.map(({ path }) => path),
      others: chosen.filter(writes).map(({ path }) => path),
    };
  const paths = await realPaths(source, chosen.filter(writes));
  const unasked = paths.find((path) => wish.allowed && !wish.allowed.includes(path));
  if (unasked !== undefined) return no(`nothing was applied: ${unasked} changed meanwhile; look again`);
  const { files, failed } = await applyMerge(chosen, source, tree.undo);
  if (wish.note && files.length > 0) await noteApplied(tree, owner, files);
  const done = new Set(files.map(({ path }) => relative(source, path)));
  const left = plan.filter((file) => file.is !== "nothing" && !done.has(file.path)).map(({ path }) => path);
  if (left.length === 0 && failed.length === 0) await releaseCopy(tree, owner, "applied", wish.by);
  if (failed.length > 0)
    return no(
      `${count(files.length, "file")} ${files.length === 1 ? "was" : "were"} applied, and these not: ${failed.join(", ")}; try again`,
    );
  return {
    ok: true,
    applied: files,
    already: chosen.filter(({ is }) => is === "nothing").map(({ path }) => path),
    left,
  };
}

export async function keepCopy(
  tree: CopyTree,
  owner: SessionState,
  by: string,
): Promise<Steered<{ branch: string; rest?: string }>> {
  const refused = mayNotDecide(tree, owner);
  if (refused !== undefined || !owner.copy) return no(refused ?? "");
  const message = `what ${owner.opened?.agent ?? owner.path} left uncommitted\n\n${owner.opened?.title ?? ""}`;
  const kept = await tree.worktrees.keep(owner.copy, owner.copy.source, message, never);
  if (!kept.ok) return no(`it was not kept: ${kept.problem}; apply or discard it`);
  await releaseCopy(tree, owner, "kept", by);
  return { ok: true, branch: kept.branch, ...(kept.rest !== undefined && { rest: kept.rest }) };
}

export async function discardCopy(tree: CopyTree, owner: SessionState, by: string): Promise<Steered> {
  const refused = mayNotDecide(tree, owner);
  if (refused !== undefined) return no(refused);
  await releaseCopy(tree, owner, "discarded", by);
  return { ok: true };
}

/** The files that are meant, or why that cannot be told. */
export function chooseFiles<File extends { readonly path: string }>(
  plan: readonly File[],
  source: string,
  { files, from }: Pick<ApplyWish, "files" | "from">,
): readonly File[] | string {
  if (files.length === 0) return plan;
  const chosen: File[] = [];
  for (const name of files) {
    const places = isAbsolute(name)
      ? [name]
      : [resolve(source, name), ...(from === undefined ? [] : [resolve(from, name)])];
    const found = plan.find(({ path }) => places.includes(join(source, path)));
    if (!found)
      return `${name} is not among the files that were changed: ${plan.map(({ path }) => path).join(", ") || "none"}`;
    if (!chosen.includes(found)) chosen.push(found);
  }
  return plan.filter((file) => chosen.includes(file));
}

/** What is really touched. */
export const realPaths = (source: string, files: readonly { readonly path: string }[]): Promise<string[]> =>
  Promise.all(files.map(({ path }) => realPath(join(source, path))));

export const writes = ({ is }: Pick<Planned, "is">): boolean => is === "replace" || is === "join";

/** Why nothing can be decided about it now. */
function mayNotDecide({ writer, folder, isAtWork }: CopyTree, owner: SessionState): string | undefined {
  if (!owner.copy)
    return `${owner.path} has no copy of its own${owner.opened?.binding.isolation === "shared" ? "" : " any more"}`;
  const others = [...writer.state.sessions.values()];
  const busy = others.find(
    (one) => copyOwner(folder, one.opened?.binding.cwd ?? "/") === owner.session && isAtWork(one),
  );
  if (busy) return `${busy.path} is still at work in it: wait for it, or stop it`;
  const nested = others.find((one) => one.copy?.source === owner.copy?.root);
  return nested && `the copy of ${nested.path} was made from it: decide on that first`;
}

async function noteApplied({ writer }: CopyTree, owner: SessionState, files: readonly FileChange[]): Promise<void> {
  const origin = originOf(owner);
  const text = `${count(files.length, "file")} applied`;
  const details = { files: files as unknown as Json };
  const { seq } = await writer.record(origin, { type: "note.added", kind: APPLIED, text, details }, never);
  await writer.durable(seq, origin, never);
}
