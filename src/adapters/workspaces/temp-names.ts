// Names for files that are being put together, which tell whose they are: what a killed process left is cleared away by
// the next write in that folder, what a living one works on is left alone.
import { randomBytes } from "node:crypto";
import { opendir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { liveness, thisProcess } from "../processes/process-identity.ts";

/** A folder may be huge; what stands further down is left for the session's own note of it. */
const MOST_LOOKED_AT = 2_000;

const PATTERN = /^\.sous-write-(\d+)-(\d*)-([0-9a-f-]*)-(\d*)-[0-9a-f]{12}\.tmp$/;

export function tempName(): string {
  const { pid, startTime, bootId, pidNamespace } = thisProcess();
  const space = /\d+/.exec(pidNamespace)?.[0] ?? "";
  return `.sous-write-${pid}-${startTime}-${bootId}-${space}-${randomBytes(6).toString("hex")}.tmp`;
}

export async function sweepTemps(folder: string): Promise<void> {
  let looked = 0;
  for await (const { name } of await opendir(folder)) {
    if (looked++ >= MOST_LOOKED_AT) return;
    if (isAbandoned(name)) await rm(join(folder, name), { force: true });
  }
}

/** Removes a temp that was noted before its write, if its writer is gone. */
export async function removeTemp(path: string): Promise<void> {
  if (isAbandoned(basename(path))) await rm(path, { force: true });
}

function isAbandoned(name: string): boolean {
  const found = PATTERN.exec(name);
  if (!found) return false;
  const [, pid = "", startTime = "", bootId = "", space = ""] = found;
  const pidNamespace = space === "" ? "" : `pid:[${space}]`;
  return liveness({ pid: Number(pid), startTime, bootId, pidNamespace }) === "dead";
}
