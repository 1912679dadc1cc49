// A folder held open: what is done through it is done in it, whatever is laid on the way to it meanwhile.
import { constants, existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

export type HeldFolder = {
  /** Names the folder itself for the system; without /proc only its path can. */
  readonly at: string;
  sync(): Promise<void>;
};

/** `path` is the real path that was judged. Rejects with code `EMOVED` when it leads elsewhere by now. */
export async function inFolder<T>(path: string, act: (folder: HeldFolder) => Promise<T>): Promise<T> {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch((error: unknown) => {
    throw lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? moved(path) : error;
  });
  try {
    if (!isAt(handle, path)) throw moved(path);
    const held = `/proc/${process.pid}/fd/${handle.fd}`;
    return await act({ at: existsSync(held) ? held : path, sync: () => handle.sync() });
  } finally {
    await handle.close();
  }
}

const moved = (path: string): Error => Object.assign(new Error(`${path} was moved meanwhile`), { code: "EMOVED" });

/** What was opened is what the path was judged as: nobody has laid a link on the way to it since. */
export function isAt({ fd }: FileHandle, path: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`) === path;
  } catch {
    return realpathSync(path) === path;
  }
}
