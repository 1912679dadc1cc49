// The traces of a process and of those above it, as the kernel tells them: an environment that was cleared, or a parent
// that ended, leaves the others.
import { readFileSync, readlinkSync } from "node:fs";
import type { Traces } from "../../core/caller.ts";
import { readStat } from "./process-identity.ts";

/** Nothing is found on systems without /proc. */
export function tracesOf(pid: number): Traces {
  return { environments: lineOf(pid).map((one) => read(one, "environ")), mounts: read(pid, "mountinfo") };
}

/** The process itself, and each that it was started by. */
export function lineOf(pid: number): number[] {
  const line: number[] = [];
  for (let one = pid; one > 0 && !line.includes(one); one = readStat(one)?.parent ?? 0) line.push(one);
  return line;
}

/** The words a process was started with, or has put in their place. */
export const commandLineOf = (pid: number): string => read(pid, "cmdline");

/** Whether it runs in the process namespace of this one, so that its number there is its number here. */
export function sharesNamespace(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`) === readlinkSync("/proc/self/ns/pid");
  } catch {
    return false;
  }
}

function read(pid: number, what: "environ" | "mountinfo" | "cmdline"): string {
  try {
    return readFileSync(`/proc/${pid}/${what}`, "utf8");
  } catch {
    return "";
  }
}
