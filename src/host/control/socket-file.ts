// The file in a tree's folder that says by which socket its host is reached. Believed only while the tree's lock is held.
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { treesFolder } from "../../adapters/log/layout.ts";
import { isObject } from "../../core/json.ts";

const fileOf = (folder: string): string => join(folder, "socket.json");

export function writeSocketFile(folder: string, socket: string): void {
  const fresh = join(folder, `socket-new-${process.pid}`);
  rmSync(fresh, { force: true });
  writeFileSync(fresh, `${JSON.stringify({ socket, pid: process.pid })}\n`, { mode: 0o600, flag: "wx" });
  renameSync(fresh, fileOf(folder));
}

export function readSocketFile(folder: string): string | undefined {
  try {
    const fd = openSync(fileOf(folder), constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const buffer = Buffer.alloc(4096);
      if (!fstatSync(fd).isFile()) return undefined;
      const value: unknown = JSON.parse(buffer.toString("utf8", 0, readSync(fd, buffer)));
      return isObject(value) && typeof value["socket"] === "string" ? value["socket"] : undefined;
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}

/** Of all trees of a state folder: a run with another folder for what is temporary listens elsewhere. */
export function socketsIn(stateDir: string): string[] {
  try {
    const folders = readdirSync(treesFolder(stateDir)).map((tree) => join(treesFolder(stateDir), tree));
    return folders.flatMap((folder) => readSocketFile(folder) ?? []);
  } catch {
    return [];
  }
}

/** Only our own: after a takeover another host's stands there. */
export function removeSocketFile(folder: string, socket: string): void {
  if (readSocketFile(folder) === socket) rmSync(fileOf(folder), { force: true });
}
