// The bytes of a response as batches: everything that has come since the last read, in one promise.
import type { Readable } from "node:stream";

export type Chunks = {
  /** What came since the last read; undefined at the clean end. Rejects on a cut, or with the reason given to fail. */
  read(): Promise<readonly Buffer[] | undefined>;
  fail(reason: unknown): void;
};

const HIGH_WATER = 1024 * 1024;

/** `explain` turns a stream's error into what a reader should see. */
export function createChunks(stream: Readable, explain: (error: Error) => unknown): Chunks {
  let queue: Buffer[] = [];
  let held = 0;
  let waiting:
    { resolve: (batch: readonly Buffer[] | undefined) => void; reject: (reason: unknown) => void } | undefined;
  let end: { failed: boolean; reason?: unknown } | undefined;

  stream.on("data", (chunk: Buffer) => {
    if (waiting) {
      const { resolve } = waiting;
      waiting = undefined;
      resolve([chunk]);
      return;
    }
    queue.push(chunk);
    held += chunk.length;
    if (held > HIGH_WATER) stream.pause();
  });
  stream.on("end", () => settle({ failed: false }));
  stream.on("error", (error: Error) => settle({ failed: true, reason: explain(error) }));
  stream.on("close", () => end ?? settle({ failed: true, reason: explain(new Error("closed before its end")) }));

  function settle(how: { failed: boolean; reason?: unknown }): void {
    if (end) return;
    end = how;
    const reader = waiting;
    waiting = undefined;
    if (!reader) return;
    if (how.failed) reader.reject(how.reason);
    else reader.resolve(undefined);
  }

  return {
    fail(reason) {
      queue = [];
      settle({ failed: true, reason });
    },
    read() {
      if (queue.length > 0) {
        const batch = queue;
        queue = [];
        if (held > HIGH_WATER) stream.resume();
        held = 0;
        return Promise.resolve(batch);
      }
      if (end) return end.failed ? Promise.reject(end.reason) : Promise.resolve(undefined);
      return new Promise((resolve, reject) => (waiting = { resolve, reject }));
    },
  };
}
