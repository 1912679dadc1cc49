// The state folder: whether it can be used and only by its owner, how much room there is, and what was left unfinished.
import { accessSync, constants, lstatSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { listSessions } from "../session-store.ts";
import { trustedFolders, trustFile } from "../config/trust.ts";
import { isThere } from "../is-there.ts";
import type { Finding } from "./finding.ts";
import { count } from "../../std/count.ts";

const MB = 1024 * 1024;
const LITTLE = 200 * MB;
const TOO_LITTLE = 5 * MB;

export async function lookAtState(stateDir: string): Promise<Finding[]> {
  const findings = [folderFinding(stateDir), ...spaceFinding(stateDir), ...trustFinding(stateDir)];
  return findings[0]?.is === "broken" ? findings : [...findings, await sessionsFinding(stateDir)];
}

function folderFinding(stateDir: string): Finding {
  const check = "state";
  const found = isThere(stateDir) ? lstatSync(stateDir) : undefined;
  if (found?.isSymbolicLink())
    return { check, is: "broken", says: `${stateDir} is a symbolic link`, todo: "remove it, or use --state-dir" };
  if (found && !found.isDirectory())
    return { check, is: "broken", says: `${stateDir} is not a folder`, todo: "move it away, or use --state-dir" };
  const place = found ? stateDir : nearestFolder(stateDir);
  try {
    accessSync(place, constants.W_OK | constants.X_OK);
  } catch {
    return { check, is: "broken", says: `${place} cannot be written`, todo: "make it writable, or use --state-dir" };
  }
  if (!found) return { check, is: "ok", says: `${stateDir} will be made at the first run` };
  if ((found.mode & 0o077) !== 0)
    return { check, is: "note", says: `others can look into ${stateDir}`, todo: `chmod 700 ${stateDir}` };
  return { check, is: "ok", says: `${stateDir} is writable, and yours only` };
}

function spaceFinding(stateDir: string): Finding[] {
  try {
    const { bavail, bsize } = statfsSync(isThere(stateDir) ? stateDir : nearestFolder(stateDir));
    const free = bavail * bsize;
    const says = `${Math.round(free / MB)} MB are free for sessions`;
    if (free > LITTLE) return [{ check: "disk", is: "ok", says }];
    const todo = "free some space, or set retention in the configuration";
    return [{ check: "disk", is: free > TOO_LITTLE ? "note" : "broken", says: `only ${says}`, todo }];
  } catch {
    return [];
  }
}

function trustFinding(stateDir: string): Finding[] {
  if (trustedFolders(stateDir)) return [];
  const says = `${trustFile(stateDir)} is damaged, so nothing is trusted`;
  return [{ check: "trust", is: "note", says, todo: "mend or remove it" }];
}

async function sessionsFinding(stateDir: string): Promise<Finding> {
  const rows = await listSessions(stateDir);
  const open = rows.filter(({ status }) => ["interrupted", "paused", "parked"].includes(status));
  const running = rows.filter(({ status }) => status === "running").length;
  const says = `${count(rows.length, "session")}, ${running} running, ${open.length} that can go on`;
  const [newest] = open;
  if (!newest) return { check: "sessions", is: "ok", says };
  return { check: "sessions", is: "note", says, todo: `the newest: sous run --resume ${newest.id} (${newest.status})` };
}

function nearestFolder(path: string): string {
  let at = path;
  while (!isThere(at) && dirname(at) !== at) at = dirname(at);
  return at;
}
