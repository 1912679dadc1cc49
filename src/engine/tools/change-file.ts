// The one way in which tools change a file: only what this run knows, kept for undo first, then replaced at once.
import { diffstat } from "../../core/diffstat.ts";
import { text } from "../../core/messages.ts";
import type { FileChange, ToolOutcome } from "../../core/tool-outcome.ts";
import type { WholeFile } from "../../ports/workspace.ts";
import type { CheckWorld, ToolWorld } from "./define-tool.ts";

export const MOST_EDITED_BYTES = 32 * 1024 * 1024;

export type KnownFile = Extract<WholeFile, { ok: true }>;

/** The file as it is, null when there is none, or why it may not be changed. */
export async function fileToChange(world: CheckWorld, path: string): Promise<KnownFile | null | string> {
  const now = await world.workspace.readWhole(path, MOST_EDITED_BYTES, world.signal);
  if (!now.ok) return now.missing ? null : now.problem;
  return world.files.objection(path, now.version) ?? now;
}

/** What a call would make of a file; `shown` is the path as the model wrote it. */
export type Change = {
  readonly path: string;
  readonly shown: string;
  readonly before: KnownFile | null;
  readonly bytes: Uint8Array;
};
export type Planned = Change | { readonly problem: string };

/** For `check`: what stands against a change. */
export const problemOf = (planned: Planned): string | undefined => ("problem" in planned ? planned.problem : undefined);

export async function changeFile(world: ToolWorld, planned: Planned): Promise<ToolOutcome> {
  if ("problem" in planned) return failed(planned.problem);
  const { path, shown, before, bytes } = planned;
  if (before) await world.undo.keep(before.version.hash, before.bytes);
  const old = { before: before?.version.hash ?? null, ...(before && { mode: before.mode }) };
  const written = await world.workspace.write({
    path,
    bytes,
    expected: before?.version.stamp ?? null,
    announce: ({ after, folders, temp }) => world.undo.note({ path, ...old, after, folders, temp }),
  });
  if (!written.ok) {
    const remedy = written.stale ? ": Read it, then make the change again" : "";
    return failed(`${shown} ${written.problem}${remedy}`);
  }
  world.files.saw(path, written.version);
  const lines = diffstat(latin1(before?.bytes ?? new Uint8Array()), latin1(bytes));
  const after = written.version.hash;
  const change: FileChange = {
    path,
    change: before ? "changed" : "created",
    hash: after.slice(0, 16),
    ...lines,
    ...old,
    after,
    ...(written.folders.length > 0 && { folders: written.folders }),
  };
  const said = `${before ? "changed" : "created"} ${shown} (+${lines.added} -${lines.removed} lines)`;
  return { ok: true, said: [text(said)], facts: { files: [change] } };
}

export const failed = (why: string): ToolOutcome => ({ ok: false, why: "failed", said: [text(why)] });

/** One character a byte: lines are counted the same in every encoding that has them. */
const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
