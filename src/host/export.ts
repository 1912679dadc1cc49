// A session for use elsewhere: exactly the events that list, show and a resumed run load, in the form asked for.
import { randomUUID } from "node:crypto";
import { lstatSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { atifOf } from "../core/atif.ts";
import { ROOT, isWithin, type AgentPath, type SessionId } from "../core/ids.ts";
import { markdownOf } from "../core/markdown-export.ts";
import { toldSessions } from "../core/told-steps.ts";
import { plainJson } from "../std/plain-text.ts";
import { HostError } from "./host-error.ts";
import { readState } from "./session-store.ts";

export const EXPORT_FORMATS = ["md", "jsonl", "atif"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export type Exported = { readonly text: string; readonly notices: readonly string[] };

/** `from`: only this agent of the tree and all below it. */
export async function exportSession(
  stateDir: string,
  tree: SessionId,
  format: ExportFormat,
  from: AgentPath = ROOT,
): Promise<Exported> {
  const { state, events: all, notices } = await readState(stateDir, tree);
  const events = all.filter(({ path }) => isWithin(from, path));
  if (events.length === 0) throw new HostError(`session ${tree} has no readable record`, "failed");
  switch (format) {
    case "jsonl":
      return { text: events.map((event) => `${plainJson(event)}\n`).join(""), notices };
    case "md":
      return { text: markdownOf(toldSessions(events), state), notices };
    case "atif":
      return { text: `${plainJson(atifOf(toldSessions(events), state), 2)}\n`, notices };
  }
}

/** For its owner only; a file that is there is replaced whole, and a link is not followed. */
export function saveExport(file: string, text: string): void {
  const path = resolve(file);
  const fresh = join(dirname(path), `.${basename(path)}.${randomUUID()}.new`);
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found && !found.isFile()) {
      const what = found.isSymbolicLink() ? "a symbolic link" : "not a file";
      throw new HostError(`${path} is ${what}: give another name`);
    }
    writeFileSync(fresh, text, { mode: 0o600, flag: "wx" });
    renameSync(fresh, path);
  } catch (error) {
    rmSync(fresh, { force: true });
    if (error instanceof HostError) throw error;
    throw new HostError(`${path} cannot be written: ${(error as Error).message}`, "failed");
  }
}
