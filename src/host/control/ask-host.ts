// Asks the host of a tree, wherever it runs.
import { randomBytes } from "node:crypto";
import { treeFolder } from "../../adapters/log/layout.ts";
import { systemClock } from "../../adapters/clock/system-clock.ts";
import type { SessionId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import { ownCredentials } from "../caller.ts";
import { HostError } from "../host-error.ts";
import { ownerOf } from "../session-store.ts";
import { type Reply, askSocket } from "./ask-socket.ts";
import { readSocketFile } from "./socket-file.ts";

/** A host that just began is not reachable yet. */
const PATIENCE_MS = 3_000;
const EVERY_MS = 50;

export type HostAsked = {
  readonly stateDir: string;
  readonly tree: SessionId;
  readonly request: JsonObject;
  /** Asking twice does the same as asking once. */
  readonly repeatable: boolean;
  readonly signal?: AbortSignal;
};

/** `left`: no process has the tree open. */
export async function askHost({ stateDir, tree, request, repeatable, signal }: HostAsked): Promise<Reply | "left"> {
  const as = ownCredentials(() => randomBytes(8).toString("hex"));
  for (let until = systemClock.ticks() + PATIENCE_MS; ;) {
    const owner = await ownerOf(stateDir, tree);
    if (!owner) return "left";
    const who = `process ${owner.pid} (${owner.command})`;
    const socket = readSocketFile(treeFolder({ stateDir, tree }));
    const asked = socket === undefined ? undefined : await askSocket(socket, { ...request, as }, signal);
    if (asked?.is === "answered") return asked.reply;
    if (asked?.is === "lost") {
      until = systemClock.ticks() + PATIENCE_MS;
      if (!repeatable)
        throw new HostError(`${who} went away before it answered; sous output ${tree} tells what it did`, "failed");
    }
    if (systemClock.ticks() > until)
      throw new HostError(`${who} has ${tree} open and cannot be reached from here`, "failed");
    await systemClock.sleep(EVERY_MS, signal);
  }
}
