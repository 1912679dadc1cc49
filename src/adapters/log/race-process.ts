// Run by the lock's tests as a process of its own: waits for the starting shot, opens the tree, appends, and tells how
// it went. argv: state folder, tree, time of the shot, how to end ("close" or "hold": keep the tree until killed).
import type { SessionId } from "../../core/ids.ts";
import { liveness, thisProcess } from "../processes/process-identity.ts";
import { nodeFiles } from "./node-files.ts";
import { openTree } from "./open-tree.ts";

const [stateDir = "", tree = "", shot = "0", ending = "close"] = process.argv.slice(2);
const owner = thisProcess();
while (Date.now() < Number(shot));
const opened = await openTree({
  files: nodeFiles,
  stateDir,
  tree: tree as SessionId,
  mode: "existing",
  owner,
  command: "race",
  liveness,
  now: Date.now,
});
if (opened.is === "held") process.stdout.write(`${JSON.stringify({ is: "held", by: opened.by?.pid, message: opened.message })}\n`);
else if (opened.is !== "open") throw new Error(JSON.stringify(opened));
else {
  const { log } = opened;
  const origin = { session: tree as SessionId, path: "ROOT" as never };
  const first = log.seq;
  for (let i = 0; i < 5; i++) log.append(origin, { type: "note.added", kind: "race", text: `${process.pid}` });
  await log.durable(log.seq);
  process.stdout.write(`${JSON.stringify({ is: "open", pid: process.pid, epoch: log.epoch, first, last: log.seq })}\n`);
  // Long enough that every other starter has met us.
  await new Promise((resolve) => setTimeout(resolve, ending === "hold" ? 60_000 : 400));
  await log.close();
}
