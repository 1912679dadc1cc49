// Run by the lock's tests as a process of its own. argv: state folder, tree. On each line of stdin:
// `open <ms since 1970>` waits for that instant, opens the tree, appends, and says how it went; `close` gives it back.
import { createInterface } from "node:readline";
import type { SessionId } from "../../core/ids.ts";
import { ROOT } from "../../core/ids.ts";
import type { TreeLog } from "../../ports/tree-log.ts";
import { liveness, thisProcess } from "../processes/process-identity.ts";
import { nodeFiles } from "./node-files.ts";
import { openTree } from "./open-tree.ts";

const [stateDir = "", id = ""] = process.argv.slice(2);
const tree = id as SessionId;
const place = { files: nodeFiles, stateDir, tree, mode: "existing", now: Date.now } as const;
const say = (what: object): void => void process.stdout.write(`${JSON.stringify(what)}\n`);
const mine: TreeLog[] = [];

say({ is: "ready" });
for await (const line of createInterface({ input: process.stdin })) {
  if (line.startsWith("open")) await race(Number(line.slice(5)));
  else {
    for (const log of mine.splice(0)) await log.close();
    say({ is: "closed" });
  }
}

async function race(instant: number): Promise<void> {
  while (Date.now() < instant);
  const opened = await openTree({ ...place, owner: thisProcess(), command: "race", liveness });
  if (opened.is === "held") return say({ is: "held", by: opened.by?.pid, message: opened.message });
  if (opened.is !== "open") return say(opened);
  const { log } = opened;
  for (let i = 0; i < 5; i++) log.append({ session: tree, path: ROOT }, { type: "note.added", kind: "race", text: `${i}` });
  await log.durable(log.seq);
  mine.push(log);
  say({ is: "open", by: process.pid });
}
