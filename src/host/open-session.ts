// Opens a session for work: a new tree with its first records, or an existing one as its journal says.
import { nodeFiles } from "../adapters/log/node-files.ts";
import { treeFolder, viewFile } from "../adapters/log/layout.ts";
import { maskedLog } from "../adapters/log/masked-log.ts";
import { openTree } from "../adapters/log/open-tree.ts";
import { liveness, thisProcess } from "../adapters/processes/process-identity.ts";
import { systemClock } from "../adapters/clock/system-clock.ts";
import type { Origin } from "../core/events.ts";
import { ROOT, type SessionId } from "../core/ids.ts";
import { type Mask, createMask } from "../core/mask.ts";
import { mendHistory } from "../core/mend-history.ts";
import { type TreeState, foldTree, newTree } from "../core/tree-state.ts";
import { unload } from "../core/unload.ts";
import { type TreeWriter, createTreeWriter } from "../engine/runs/tree-writer.ts";
import type { LogFault, TreeLog } from "../ports/tree-log.ts";
import { HostError } from "./host-error.ts";
import { maskedWriter } from "./masking.ts";

export type OpenSession = {
  readonly origin: Origin;
  readonly writer: TreeWriter;
  /** The stream with nothing masked: for the host's own eyes. */
  readonly observe: TreeWriter["subscribe"];
  readonly log: TreeLog;
  readonly folder: string;
  readonly transcript: string;
  /** Not all of its record could be read. */
  readonly damaged: boolean;
  /** Sentences for the person: what was damaged, who ended badly. */
  readonly notices: readonly string[];
};

export async function openSession(
  stateDir: string,
  tree: SessionId,
  mode: "create" | "existing",
  onFault: (fault: LogFault) => void,
  mask: Mask = createMask(),
): Promise<OpenSession> {
  const place = { stateDir, tree };
  const opened = await openTree({
    ...place,
    files: nodeFiles,
    mode,
    owner: thisProcess(),
    command: "sous run",
    liveness,
    now: systemClock.now,
    onFault,
  });
  if (opened.is === "held") throw new HostError(opened.message, "failed", "held");
  if (opened.is === "refused") throw new HostError(opened.message, "failed");
  if (opened.is === "read-only") throw new HostError(`session ${tree} can only be read here: ${opened.why}`, "failed");
  const state: TreeState = newTree();
  for (const event of opened.damage.length > 0 ? mendHistory(opened.events) : opened.events) foldTree(state, event);
  for (const session of state.sessions.values()) unload(session);
  const origin: Origin = { session: tree, path: ROOT };
  const folder = treeFolder(place);
  const clean = new WeakSet<object>();
  const log = maskedLog(opened.log, mask, clean);
  const writer = createTreeWriter(log, state, origin, systemClock);
  return {
    origin,
    log,
    writer: maskedWriter(writer, mask, clean),
    observe: writer.subscribe,
    folder,
    transcript: viewFile(folder, ROOT),
    damaged: opened.damage.length > 0,
    notices: opened.notices,
  };
}
