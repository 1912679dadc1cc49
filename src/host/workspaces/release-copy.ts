// Gives up a copy: recorded first, so that whatever a crash leaves of it is known to be nobody's.
import type { ReleasedHow } from "../../core/events.ts";
import type { SessionState } from "../../core/session-state.ts";
import { originOf } from "../../engine/runs/tree.ts";
import { copyPlace } from "./copy-place.ts";
import type { CopyPlaces } from "./report-copy.ts";

const never = new AbortController().signal;

export async function releaseCopy(
  { writer, worktrees, folder }: CopyPlaces,
  owner: SessionState,
  how: ReleasedHow,
  by?: string,
): Promise<void> {
  if (!owner.copy) return;
  const origin = originOf(owner);
  const released = { type: "workspace.released", how, ...(by !== undefined && { by }) } as const;
  const { seq } = await writer.record(origin, released, never);
  await writer.durable(seq, origin, never);
  // Not what the record names: it may be damaged.
  const root = copyPlace(folder, owner.session);
  await worktrees.remove({ root, store: `${root}.git` });
}
