// Removes the sockets that hosts which were killed have left behind.
import { readdir, rm } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { isRunning } from "../../adapters/processes/is-running.ts";

/** Only where nobody listens and the process that its name tells is gone: one that just begins is left alone. */
export async function sweepSockets(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const pid = Number(/^(\d+)-[0-9a-f]{8}\.sock$/.exec(name)?.[1] ?? NaN);
    if (Number.isNaN(pid) || isRunning(pid)) continue;
    const path = join(folder, name);
    if (!(await listens(path))) await rm(path, { force: true }).catch(() => {});
  }
}

const listens = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", (error: NodeJS.ErrnoException) => resolve(error.code !== "ECONNREFUSED"));
  });
