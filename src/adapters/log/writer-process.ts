// Run by the tests that kill it: opens the tree, appends without end, and tells what was written and what is durable.
// argv: state folder, tree. Each line it says was true before it was said.
import { randomInt } from "node:crypto";
import { writeSync } from "node:fs";
import type { SessionId } from "../../core/ids.ts";
import { ROOT } from "../../core/ids.ts";
import { liveness, thisProcess } from "../processes/process-identity.ts";
import { nodeFiles } from "./node-files.ts";
import { openTree } from "./open-tree.ts";

const [stateDir = "", id = ""] = process.argv.slice(2);
const tree = id as SessionId;
const place = { files: nodeFiles, stateDir, tree, mode: "existing", now: Date.now } as const;
const opened = await openTree({ ...place, owner: thisProcess(), command: "writer", liveness });
if (opened.is !== "open") throw new Error(JSON.stringify(opened));
const { log } = opened;
for (;;) {
  const text = "x".repeat(randomInt(0, 3000));
  const { seq } = log.append({ session: tree, path: ROOT }, { type: "note.added", kind: "writer", text });
  writeSync(1, `${seq}\n`);
  if (seq % 7 === 0) await log.durable(seq);
}
