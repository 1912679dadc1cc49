// `sous changes` for what agents changed in copies of their own: what there is, and what becomes of it.
import { findAddress } from "../../host/control/find-address.ts";
import { HostError } from "../../host/host-error.ts";
import { type CopyView, copyLines, decideStored, listCopies } from "../../host/workspaces/stored-copies.ts";
import type { SessionId } from "../../core/ids.ts";
import { plainText } from "./plain-text.ts";

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
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  readonly conflicts: readonly string[];
};

/** One row for each copy that nobody decided on. */
export async function copyRows(stateDir: string, tree: SessionId): Promise<CopyRow[]> {
  const views = await listCopies(stateDir, tree);
  return views.map(({ files, source, problem: _problem, ...view }) => ({
    ...view,
    tree,
    cwd: source,
    files: files.length,
    added: files.reduce((sum, file) => sum + (file.added ?? 0), 0),
    removed: files.reduce((sum, file) => sum + (file.removed ?? 0), 0),
    conflicts: files.flatMap((file) => conflictOf(file)),
  }));
}

function conflictOf({ path, is, because, rivals = [] }: CopyView["files"][number]): string[] {
  const others = rivals.filter((rival) => rival.is === "conflict").map((rival) => rival.path);
  if (is === "conflict") return [`${path} (${because})`];
  return others.length > 0 ? [`${path} (with ${others.join(", ")})`] : [];
}

export function copyText({ tree, path, agent, name, files, added, removed, cwd, conflicts }: CopyRow): string {
  const who = `${agent}${name === undefined ? "" : ` "${name}"`}`;
  const clash = conflicts.length > 0 ? `  conflicts: ${conflicts.join(", ")}` : "";
  return plainText(`${tree}/${path}  ${who}: ${files} file(s) +${added} -${removed} in its own copy of ${cwd}${clash}`);
}

export async function showCopy(
  stateDir: string,
  tree: SessionId,
  session: SessionId,
  json: boolean,
  say: Say,
): Promise<void> {
  const [view] = await listCopies(stateDir, tree, session);
  if (!view) throw new HostError("it has no copy of its own with changes that are still to be decided on", "failed");
  if (json) return say(JSON.stringify({ tree, ...view }));
  say(plainText(`${view.path} ${view.agent}, in ${view.root}, a copy of ${view.source} (branch ${view.branch})`));
  for (const line of copyLines(view)) say(plainText(line));
  say(`sous changes apply|keep|discard ${tree}/${view.path}`);
}

export type Decision = { readonly action: "apply" | "keep" | "discard"; readonly files: readonly string[] };

export async function decide(
  stateDir: string,
  wanted: string,
  decision: Decision,
  json: boolean,
  say: Say,
): Promise<void> {
  const address = await findAddress(stateDir, wanted);
  const done = await decideStored(stateDir, address, { ...decision, from: process.cwd() });
  if (!done.ok) throw new HostError(done.problem, "failed");
  if (json) {
    const { ok: _ok, ...what } = done;
    return say(JSON.stringify({ session: address.session, ...what }));
  }
  for (const path of done.applied ?? []) say(plainText(`applied ${path}`));
  for (const path of done.already ?? []) say(plainText(`as it should be already: ${path}`));
  for (const path of done.left ?? []) say(plainText(`still open: ${path}`));
  say(plainText(done.said));
}
