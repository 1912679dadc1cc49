// Whether this process belongs to what its terminal shows now: a job in the background must not draw over a prompt.
import { readFileSync } from "node:fs";

/** Where the kernel does not tell, it does. */
export function inForeground(): boolean {
  try {
    // After the name in brackets: state, parent, group, session, terminal, the terminal's foreground group.
    const stat = readFileSync("/proc/self/stat", "latin1");
    const [, , group, , , shown] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(shown) <= 0 || group === shown;
  } catch {
    return true;
  }
}
