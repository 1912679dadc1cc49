// Ends a program that only waits: git opens what a project has laid in its way, and opening a pipe that nobody writes to
// never ends. One that computes, or waits for the disk, is left alone.
import { readBoundedSync } from "../files/read-bounded.ts";

const LOOK_MS = 500;
const STALLED_MS = 4_000;

/** Calls `stalled` once, unless it is stopped before. Where the system tells nothing, it never does. */
export function watchForStall(pid: number | undefined, stalled: () => void): { stop(): void } {
  let idleSince = performance.now();
  let last = "";
  const timer = setInterval(() => {
    const now = pid === undefined ? undefined : sleepingAt(pid);
    if (now === undefined || now !== last) [idleSince, last] = [performance.now(), now ?? ""];
    else if (performance.now() - idleSince >= STALLED_MS) {
      clearInterval(timer);
      stalled();
    }
  }, LOOK_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/** The time it has computed so far, all threads together, where it sleeps now; undefined where it does not. */
function sleepingAt(pid: number): string | undefined {
  const found = readBoundedSync(`/proc/${pid}/stat`, { most: 4_096 });
  const fields = found.ok
    ? found.bytes
        .toString("latin1")
        .replace(/^.*\) /s, "")
        .split(" ")
    : [];
  return fields[0] === "S" ? `${fields[11]} ${fields[12]}` : undefined;
}
