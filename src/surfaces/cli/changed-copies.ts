// `sous changes` for what agents changed in copies of their own: what there is, and what becomes of it.
import { join } from "node:path";
import { findAddress } from "../../host/control/find-address.ts";
import { HostError } from "../../host/host-error.ts";
import { type CopyView, copyDiff, copyLines, decideStored, listCopies } from "../../host/workspaces/stored-copies.ts";
import type { SessionId } from "../../core/ids.ts";
import type { Scope } from "../../host/project-scope.ts";
import { count } from "../../std/count.ts";
import { diffLines } from "./diff-text.ts";
import { plainJson, plainText } from "./plain-text.ts";
import { shownIds } from "./shown-ids.ts";

type Say = (line: string) => void;

export type CopyRow = {
  readonly session: SessionId;
  readonly tree: SessionId;
  readonly path: string;
  readonly agent: string;
  readonly name?: string;
  readonly isolation: string;
  readonly root: string;
  readonly branch: string;
  /** The folder that it is a copy of. */
  readonly cwd: string;
  /** Those that are still to be decided on. */
  readonly files: number;
  /** Those that the project has already. */
  readonly applied: number;
  readonly added: number;
  readonly removed: number;
  readonly conflicts: readonly string[];
};

/** One row for each copy that nobody decided on. */
export async function copyRows(stateDir: string, tree: SessionId): Promise<CopyRow[]> {
  const views = await listCopies(stateDir, tree);
  return views.map(({ files, source, problem: _problem, ...view }) => {
    const left = files.filter(({ is }) => is !== "nothing");
    return {
      ...view,
      tree,
      cwd: source,
      files: left.length,
      applied: files.length - left.length,
      added: left.reduce((sum, file) => sum + (file.added ?? 0), 0),
      removed: left.reduce((sum, file) => sum + (file.removed ?? 0), 0),
      conflicts: left.flatMap((file) => conflictOf(file)),
    };
  });
}

function conflictOf({ path, is, because, rivals = [] }: CopyView["files"][number]): string[] {
  const others = rivals.filter((rival) => rival.is === "conflict").map((rival) => rival.path);
  if (is === "conflict") return [`${path} (${because})`];
  return others.length > 0 ? [`${path} (with ${others.join(", ")})`] : [];
}

export function copyText(row: CopyRow, idOf: (tree: SessionId) => string): string {
  const { tree, path, agent, name, files, applied, added, removed, cwd, conflicts } = row;
  const who = `${agent}${name === undefined ? "" : ` "${name}"`}`;
  const clash = conflicts.length > 0 ? `  conflicts: ${conflicts.join(", ")}` : "";
  const left = `${count(files, "file")}${applied > 0 ? " left" : ""} +${added} -${removed}`;
  const done = applied > 0 ? `, ${applied} applied` : "";
  return plainText(`${idOf(tree)}/${path}  ${who}: ${left} in its own copy of ${cwd}${done}${clash}`);
}

export type ShowWishes = {
  /** Only their diff; none: that of all. */
  readonly files: readonly string[];
  readonly json: boolean;
  /** No diff. */
  readonly stat: boolean;
};

/** `print` writes a line as it is: diffs are prepared for whoever reads them. */
export type ShowTo = { readonly say: Say; readonly print: Say };

export async function showCopy(
  stateDir: string,
  tree: SessionId,
  session: SessionId,
  { files, json, stat }: ShowWishes,
  { say, print }: ShowTo,
): Promise<void> {
  const [view] = await listCopies(stateDir, tree, session);
  if (!view) throw new HostError("it has no copy of its own with changes that are still to be decided on", "failed");
  const diff = stat ? undefined : await copyDiff(stateDir, tree, view, files, process.cwd());
  if (json) return say(plainJson({ tree, ...view, ...diff }));
  say(plainText(`${view.path} ${view.agent}, in ${view.root}, a copy of ${view.source} (branch ${view.branch})`));
  for (const line of copyLines(view)) say(plainText(line));
  for (const line of diff ? diffLines(diff) : []) print(line);
  say(`sous changes apply|keep|discard ${shownIds(stateDir)(tree)}/${view.path}`);
}

export type Decision = { readonly action: "apply" | "keep" | "discard"; readonly files: readonly string[] };

export async function decide(
  stateDir: string,
  scope: Scope,
  wanted: string,
  decision: Decision,
  json: boolean,
  say: Say,
): Promise<void> {
  const address = await findAddress(stateDir, wanted, scope);
  const done = await decideStored(stateDir, address, { ...decision, from: process.cwd() });
  if (!done.ok) throw new HostError([done.problem, ...nextSteps(wanted, done)].join("\n"), "failed");
  if (json) {
    const { ok: _ok, ...what } = done;
    return say(plainJson({ session: address.session, ...what }));
  }
  for (const path of done.applied ?? []) say(plainText(`applied ${path}`));
  for (const path of done.already ?? []) say(plainText(`as it should be already: ${path}`));
  for (const path of done.left ?? []) say(plainText(`still open: ${path}`));
  say(plainText(done.said));
}

/** What can be done about a conflict. */
function nextSteps(id: string, done: Awaited<ReturnType<typeof decideStored>>): string[] {
  if (done.ok || !("conflicts" in done) || !done.conflicts) return [];
  const { conflicts, others = [], root, branch } = done;
  const [first = ""] = conflicts;
  return [
    `  see both sides:   sous changes show ${id} ${first}`,
    ...(others.length > 0 ? [`  apply the others: sous changes apply ${id} ${others.join(" ")}`] : []),
    ...(branch !== undefined ? [`  merge with git:   sous changes keep ${id} && git merge ${branch}`] : []),
    ...(root !== undefined
      ? [`  by hand:          its version is ${join(root, first)}; then sous changes discard ${id}`]
      : []),
  ].map(plainText);
}
