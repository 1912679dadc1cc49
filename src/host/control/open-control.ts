// Opens the socket of a tree and answers on it until the tree is closed.
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../core/json.ts";
import { maskFreeText } from "../../core/mask-free-text.ts";
import { nearest } from "../../std/nearest.ts";
import type { Processes } from "../../ports/processes.ts";
import type { ControlledTree } from "./controlled-tree.ts";
import { ops } from "./ops.ts";
import { refusedToAgents } from "./person-only.ts";
import { runtimeFolder } from "./runtime-folder.ts";
import { type Answer, serveLines } from "./serve-lines.ts";
import { removeSocketFile, writeSocketFile } from "./socket-file.ts";
import { sweepSockets } from "./sweep-sockets.ts";

export type ControlPlace = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The tree's own, where its socket is named. */
  readonly folder: string;
  /** How agents' commands are owned here: it decides whether a person can be told from one. */
  ownership: Processes["ownership"];
};

export async function openControl(
  { env, folder, ownership }: ControlPlace,
  tree: ControlledTree,
): Promise<{ close(): void }> {
  const place = runtimeFolder(env);
  const socket = join(place, `${process.pid}-${randomBytes(4).toString("hex")}.sock`);
  const server = await serveLines(socket, async (request, signal) =>
    maskFreeText(tree.mask, await respond(tree, request, signal, ownership)),
  );
  writeSocketFile(folder, socket);
  void sweepSockets(place);
  return {
    close() {
      removeSocketFile(folder, socket);
      server.close();
      rmSync(socket, { force: true });
    },
  };
}

async function respond(
  tree: ControlledTree,
  request: JsonObject,
  signal: AbortSignal,
  ownership: Processes["ownership"],
): Promise<Answer> {
  const name = typeof request["op"] === "string" ? request["op"] : "";
  const op = Object.hasOwn(ops, name) ? ops[name] : undefined;
  const refused = op && (await refusedToAgents(request, ownership));
  if (refused !== undefined) return { ok: false, problem: refused };
  if (op) return op(tree, request, signal);
  const close = nearest(name, Object.keys(ops));
  const known = close ? `did you mean ${close}?` : `there are ${Object.keys(ops).join(", ")}`;
  return { ok: false, problem: `there is no op "${name.slice(0, 100)}"; ${known}` };
}
