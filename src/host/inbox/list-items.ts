// The inbox across all trees of a state folder, read without owning any.
import { treeFolder, viewFile } from "../../adapters/log/layout.ts";
import { nodeFiles } from "../../adapters/log/node-files.ts";
import { peekTree } from "../../adapters/log/peek-tree.ts";
import type { SessionId } from "../../core/ids.ts";
import { type Item, needsPerson } from "../../core/inbox.ts";
import { readState, sessionIds } from "../session-store.ts";

export type InboxRow = Omit<Item, "at" | "closed" | "answered"> & {
  /** The lead's session, which names the tree. */
  readonly tree: SessionId;
  readonly cwd: string;
  readonly since: string;
  readonly transcript: string;
  /** Whether somebody still has to do something about it. */
  readonly open: boolean;
  readonly answered?: NonNullable<Item["answered"]>;
};

/** Newest first: what needs a person, or everything. */
export async function listItems(stateDir: string, everything: boolean): Promise<InboxRow[]> {
  const rows: InboxRow[] = [];
  for (const tree of sessionIds(stateDir)) {
    if (!everything && !(await mayAsk(stateDir, tree))) continue;
    // What is wrong with one must not hide the others.
    rows.push(...(await itemsOf(stateDir, tree).catch(() => [])).filter((row) => everything || row.open));
  }
  return rows.sort((a, b) => (a.since < b.since ? 1 : -1));
}

export async function itemsOf(stateDir: string, tree: SessionId): Promise<InboxRow[]> {
  const { state } = await readState(stateDir, tree);
  const folder = treeFolder({ stateDir, tree });
  const cwd = state.sessions.get(tree)?.opened?.binding.cwd ?? "";
  return [...state.items.all.values()].map((item) => {
    const { at, closed: _closed, ...rest } = item;
    const since = new Date(at).toISOString();
    return { ...rest, tree, cwd, since, transcript: viewFile(folder, item.path), open: needsPerson(item) };
  });
}

/** A run that came to its end has ended its calls, and nothing of it asks; one that broke may have left some. */
async function mayAsk(stateDir: string, tree: SessionId): Promise<boolean> {
  const peek = await peekTree(nodeFiles, { stateDir, tree }).catch(() => undefined);
  return peek?.lastRun?.type !== "run.ended" || peek.lastRun.result.status === "failed";
}
