// Takes variables out of this process: out of its environment, and out of the memory in which the kernel shows the
// environment that it was started with to every process of this user (/proc/PID/environ).
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";

/** `env` is the process's own. Where the system has no such memory to write to, only there. */
export function forgetVariables(names: readonly string[], env: NodeJS.ProcessEnv): void {
  for (const name of names) delete env[name];
  try {
    overwrite(names);
  } catch {
    // No /proc, or one that is not to be written to.
  }
}

function overwrite(names: readonly string[]): void {
  const line = readFileSync("/proc/self/stat", "latin1");
  // After the name in parentheses; the 50th field of all is where the environment begins.
  const start = Number(line.slice(line.lastIndexOf(")") + 2).split(" ")[47]);
  const environment = readFileSync("/proc/self/environ", "latin1");
  if (!Number.isSafeInteger(start) || start <= 0) return;
  const memory = openSync("/proc/self/mem", "r+");
  try {
    let at = 0;
    for (const one of environment.split("\0")) {
      const name = names.find((each) => one.startsWith(`${each}=`));
      const value = one.length - (name?.length ?? 0) - 1;
      if (name !== undefined && value > 0)
        writeSync(memory, Buffer.alloc(value, "x"), 0, value, start + at + name.length + 1);
      at += one.length + 1;
    }
  } finally {
    closeSync(memory);
  }
}
