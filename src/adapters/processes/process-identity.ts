// Who a process is, beyond its number: a pid alone may long belong to another program.
import { readFileSync, readlinkSync } from "node:fs";

/** The last three are empty on systems without /proc. */
export type ProcessIdentity = {
  readonly pid: number;
  /** Clock ticks since boot, as the kernel gives them. */
  readonly startTime: string;
  readonly bootId: string;
  readonly pidNamespace: string;
};

export function thisProcess(): ProcessIdentity {
  const stat = readStat("self");
  // A /proc that belongs to another pid namespace would answer for a stranger.
  if (stat?.pid !== process.pid) return { pid: process.pid, startTime: "", bootId: "", pidNamespace: "" };
  return { pid: process.pid, startTime: stat.startTime, bootId: bootId(), pidNamespace: pidNamespace() };
}

/** "unknown" when it lives in another pid namespace, where its number means nothing to us. */
export function liveness(id: ProcessIdentity): "alive" | "dead" | "unknown" {
  const here = thisProcess();
  if (id.startTime === "" || here.startTime === "") return answers(id.pid) === "no" ? "dead" : "alive";
  if (id.bootId !== here.bootId) return "dead";
  if (id.pidNamespace !== here.pidNamespace) return "unknown";
  const stat = readStat(id.pid);
  // /proc mounted with hidepid hides strangers that do exist.
  if (!stat) return answers(id.pid) === "no" ? "dead" : "unknown";
  return stat.startTime === id.startTime && !isDeadState(stat.state) ? "alive" : "dead";
}

export type ProcessStat = {
  readonly pid: number;
  readonly state: string;
  readonly parent: number;
  readonly startTime: string;
};

/** One line of /proc/<pid>/stat, or undefined when there is no such process (or no /proc). */
export function readStat(pid: number | "self"): ProcessStat | undefined {
  const line = readOrNothing(`/proc/${pid}/stat`);
  if (line === undefined) return undefined;
  // The second field is the program's name in parentheses and may itself contain parentheses, spaces and newlines.
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  const [state, parent, startTime] = [fields[0], fields[1], fields[19]];
  if (state === undefined || parent === undefined || startTime === undefined) return undefined;
  return { pid: Number.parseInt(line, 10), state, parent: Number(parent), startTime };
}

/** A zombie has given up everything but its number. */
export const isDeadState = (state: string): boolean => state === "Z" || state === "X" || state === "x";

const bootId = (): string => readOrNothing("/proc/sys/kernel/random/boot_id")?.trim() ?? "";

function pidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

function answers(pid: number): "yes" | "not-to-us" | "no" {
  try {
    process.kill(pid, 0);
    return "yes";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM" ? "not-to-us" : "no";
  }
}

function readOrNothing(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
