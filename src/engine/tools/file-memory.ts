// What one run has seen of files, so that an edit is never made on what it does not know.
import type { FileVersion } from "../../ports/workspace.ts";

export type FileMemory = {
  saw(path: string, version: FileVersion): void;
  /** Why the run may not change the file as it is now; undefined when it may. */
  objection(path: string, now: FileVersion): string | undefined;
};

/** `shown`: a file that the run's prompt shows may be changed without another look, unless it is another by then. */
export function createFileMemory(shown?: { readonly path: string; readonly hash?: string }): FileMemory {
  const seen = new Map<string, FileVersion>();
  if (shown?.hash !== undefined) seen.set(shown.path, { stamp: "", hash: shown.hash });
  return {
    saw: (path, version) => void seen.set(path, version),
    objection(path, now) {
      const known = seen.get(path);
      if (!known) return "has not been read in this session: Read it first";
      return isSame(known, now) ? undefined : "was changed since it was last read: Read it again, then make the change";
    },
  };
}

/** The content decides where it is known: a touch is no change, and a change within one tick of the clock is one. */
const isSame = (a: FileVersion, b: FileVersion): boolean =>
  a.hash !== undefined && b.hash !== undefined ? a.hash === b.hash : a.stamp === b.stamp;
