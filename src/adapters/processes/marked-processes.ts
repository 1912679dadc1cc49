// Processes found by the marks in their environment: never by name, never by a remembered number.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { type Marks, marksAsVariables } from "./command-environment.ts";
import { lineOf } from "./process-traces.ts";

export type Marked = { readonly pid: number; readonly command: string };

/** Kills this user's processes that carry the marks, but never this process or the ones it was started by. */
export function endMarked(marks: Marks): Marked[] {
  const wanted = Object.entries(marksAsVariables(marks)).map(([name, value]) => `${name}=${value}`);
  const spared = new Set(lineOf(process.pid));
  return pids().flatMap((pid) => {
    if (spared.has(pid) || !isOurs(pid)) return [];
    const environment = new Set(read(pid, "environ").split("\0"));
    if (!wanted.every((variable) => environment.has(variable))) return [];
    const command = read(pid, "cmdline").split("\0").join(" ").trim().slice(0, 200);
    return kill(pid) ? [{ pid, command }] : [];
  });
}

function pids(): number[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function isOurs(pid: number): boolean {
  return statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid === process.getuid?.();
}

function read(pid: number, what: "environ" | "cmdline"): string {
  try {
    return readFileSync(`/proc/${pid}/${what}`, "utf8");
  } catch {
    return "";
  }
}

function kill(pid: number): boolean {
  try {
    process.kill(pid, "SIGKILL");
    return true;
  } catch {
    return false;
  }
}
