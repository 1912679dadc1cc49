// The first process of a command's PID namespace: it starts the command, says how it ended, and takes everything
// left over with it, because the kernel kills a namespace with its first process.
import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import type { FindProgram } from "./find-program.ts";
import { awaitCommand, handshake, outputs } from "./shell-protocol.ts";

/** Its program and arguments, to be followed by those of the command's shell. */
export function namespaceInit(find: FindProgram, apart: boolean): readonly string[] {
  const bash = find("bash");
  return bash ? [bash, "-p", "-c", script(apart), "sous"] : ["/bin/sh", "-c", plainScript(apart), "sous"];
}

const script = (apart: boolean): string => `
${handshake}
exec 2>&3
trap 'kill -TERM -1' URG
set -m
"$@" ${outputs(apart)} &
sous_command=$!
${awaitCommand}
echo "code $sous_code" >&3
`;

// Without bash a death by signal cannot be told from the exit code 128 + n.
const plainScript = (apart: boolean): string => `
${handshake}
"$@" ${outputs(apart)}
echo "code $?" >&3
`;

/** Kills the namespace that `child` waits for; `child` itself lives on until the kernel has cleared it. */
export function killNamespace(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const first = childrenOf(child.pid).find(isFirstOfItsNamespace);
  // Before there is a namespace there is no command either.
  process.kill(first ?? child.pid, "SIGKILL");
}

function childrenOf(pid: number): number[] {
  const list = readOrNothing(`/proc/${pid}/task/${pid}/children`);
  return list.split(" ").filter(Boolean).map(Number);
}

const isFirstOfItsNamespace = (pid: number): boolean => /^NSpid:.*\t1$/m.test(readOrNothing(`/proc/${pid}/status`));

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
