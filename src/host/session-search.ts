// Full text over all sessions, newest first, one record in memory at a time.
import { nodeFiles } from "../adapters/log/node-files.ts";
import { scanTree } from "../adapters/log/scan-tree.ts";
import { findText } from "../core/found-text.ts";
import type { AgentPath, SessionId } from "../core/ids.ts";
import { isoTime } from "../core/told-steps.ts";
import { type Scope, sessionsIn } from "./project-scope.ts";

export type Hit = {
  readonly id: SessionId;
  readonly path: AgentPath;
  readonly seq: number;
  readonly time: string;
  /** Who said it, or in what: `person`, `agent`, `call Bash`, `result`. */
  readonly where: string;
  readonly snippet: string;
};

export type SearchLimits = { readonly perSession: number; readonly sessions: number };
const DEFAULT: SearchLimits = { perSession: 5, sessions: 200 };

/** Each session's hits as they are found; `more` counts those beyond the limit. */
export async function* searchSessions(
  stateDir: string,
  wanted: string,
  scope: Scope = "all",
  { perSession, sessions }: SearchLimits = DEFAULT,
): AsyncGenerator<{ readonly hits: readonly Hit[]; readonly more: number }> {
  const lower = wanted.toLowerCase();
  let found = 0;
  for await (const tree of sessionsIn(stateDir, scope)) {
    if (found >= sessions) return;
    let hits: Hit[] = [];
    let more = 0;
    await scanTree(
      nodeFiles,
      { stateDir, tree },
      (record) => {
        const text = findText(record, lower);
        if (!text) return;
        const { path, seq, time } = record;
        if (hits.length < perSession) hits.push({ id: tree, path, seq, time: isoTime(time), ...text });
        else more++;
      },
      () => {
        hits = [];
        more = 0;
      },
    );
    if (hits.length === 0) continue;
    found++;
    yield { hits, more };
  }
}
