// Long output as files of the tree: made exclusively, readable by their owner only, capped in size.
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Artifacts } from "../../ports/artifacts.ts";

const MOST_BYTES = 64 * 1024 * 1024;

export function createFileArtifacts(dir: string): Artifacts {
  return {
    open(name) {
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      const { fd, path } = openNew(dir, name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 80));
      let bytes = 0;
      return {
        write(chunk) {
          const room = MOST_BYTES - bytes;
          if (room <= 0) return;
          bytes += writeSync(fd, chunk.length > room ? chunk.subarray(0, room) : chunk);
        },
        end() {
          closeSync(fd);
          return { path, bytes };
        },
      };
    },
  };
}

/** A name that is taken gets a number: an artifact is never written over. */
function openNew(dir: string, name: string): { fd: number; path: string } {
  for (let n = 1; ; n++) {
    const path = join(dir, n === 1 ? `${name}.txt` : `${name}.${n}.txt`);
    try {
      return { fd: openSync(path, "wx", 0o600), path };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}
