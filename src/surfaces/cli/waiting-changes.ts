// What a run says at its end about files that wait in copies of agents: they are not in the project yet.
import type { RunResult } from "../../core/run-result.ts";
import { mayHaveCopies } from "../../host/workspaces/stored-copies.ts";
import { copyRows } from "./changed-copies.ts";
import { plainText } from "./plain-text.ts";
import { count } from "../../std/count.ts";

const MOST = 5;

export async function waitingChanges(stateDir: string, { session }: RunResult): Promise<string[]> {
  if (!mayHaveCopies(stateDir, session)) return [];
  // What cannot be told here is told by `sous changes`.
  const rows = (await copyRows(stateDir, session).catch(() => [])).filter(({ files }) => files > 0);
  const shown = rows.slice(0, MOST).map(({ files, path, agent }) => {
    return plainText(
      `${count(files, "file")} changed in the copy of ${path} ${agent}: sous changes show ${session}/${path.replace(/^ROOT::/, "")}`,
    );
  });
  return rows.length > MOST ? [...shown, `more copies hold changes (${rows.length - MOST}): sous changes`] : shown;
}
