// The first process of a command's PID namespace: it starts the command, says how it ended, and takes everything
// left over with it, because the kernel kills a namespace with its first process.
import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { type FindProgram, quotedProgram } from "./find-program.ts";
import type { Relay } from "./strategy.ts";
import { awaitCommand, handshake, outputs } from "./shell-protocol.ts";

type Init = {
  readonly apart: boolean;
  readonly relay?: Relay;
  /** Shell lines before everything else. */
  readonly first?: string;
};

/** Its program and arguments, to be followed by those of the command's shell. */
export function namespaceInit(find: FindProgram, { apart, relay, first = "" }: Init): readonly string[] {
  const bash = find("bash");
  const sleep = quotedProgram(find, "sleep");
  const before = first + (relay ? listening(relay, sleep) : "");
  return bash
    ? [bash, "-p", "-c", before + script(apart, sleep), "sous"]
    : ["/bin/sh", "-c", before + plainScript(apart), "sous"];
}

/** Shell lines that start a relay, and go on when it listens. */
function listening({ socat, port, socket }: Relay, sleep: string): string {
  const at = `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return `
${quoted(socat)} TCP-LISTEN:${port},bind=127.0.0.1,reuseaddr,fork UNIX-CONNECT:${quoted(socket)} </dev/null >/dev/null 3>&- 4>&- &
sous_relay=$! sous_rounds=0
sous_listens() {
  while read -r sous_line sous_at sous_line; do [ "$sous_at" = ${at} ] && return; done </proc/net/tcp
  return 1
}
until sous_listens; do
  kill -0 "$sous_relay" && [ "$sous_rounds" -lt 500 ] || exit
  sous_rounds=$((sous_rounds + 1)); ${sleep} 0.01
done
`;
}

export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const script = (apart: boolean, sleep: string): string => `
${handshake}
exec 2>&3
trap 'kill -TERM -1' URG
set -m
"$@" ${outputs(apart)} &
sous_command=$!
${awaitCommand(sleep)}
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
