// Owns a command where namespaces are refused: a small shell beside it that ends the command's process group and
// every process carrying the command's marker, when the command ends, when told to, or when the engine dies.
//
// Weaker than a namespace: a process that left the group *and* cleared its environment is not found; a command can kill
// its keeper; and it can read the environment of the engine itself in /proc, keys included.
import { randomBytes } from "node:crypto";
import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import { awaitCommand, handshake, outputs } from "./shell-protocol.ts";
import { type FindProgram, quotedProgram } from "./find-program.ts";
import { throughRealPipe } from "./real-pipe.ts";
import type { FindStrategies } from "./strategy.ts";

export const keeper: FindStrategies = (find) => {
  const shellOfKeeper = find("bash") ? [find("bash")!, "-p"] : ["/bin/sh"];
  // A name of its own, not a value: the commands of an engine inside this command must not overwrite it.
  const argv = (shell: readonly string[], apart: boolean): readonly string[] =>
    throughRealPipe(
      find,
      [...shellOfKeeper, "-c", script(find, apart), "sous", `SOUS_COMMAND_${randomBytes(8).toString("hex")}`, ...shell],
      apart,
    );
  return [{ name: "keeper", argv, kill: closePipe, confines: false }];
};

/** The keeper reads the end of the pipe as its order, as it does when the engine dies. */
function closePipe(child: ChildProcess): void {
  (child.stdio[3] as Socket | undefined)?.end();
}

// A shell without job control gives what it starts behind itself no stdin: hence the copy.
const script = (find: FindProgram, apart: boolean): string => `
exec 5<&0
sous_marker=$1; shift
sous_signal() {
  sous_found=
  for sous_file in $(${quotedProgram(find, "grep")} -lF "$sous_marker" /proc/[0-9]*/environ); do
    sous_file=\${sous_file#/proc/}
    kill "-$1" "\${sous_file%/environ}" && sous_found=1
  done
} 2>/dev/null
sous_end() {
  sous_rounds=0
  while kill -KILL -- "-$sous_command" 2>/dev/null; sous_signal KILL; [ "$sous_found" ] && [ "$sous_rounds" -lt 60 ]; do
    sous_rounds=$((sous_rounds + 1))
    ${quotedProgram(find, "sleep")} 0.01
  done
}
${handshake}
exec 2>&3
[ "$BASH_VERSION" ] && set -m
trap 'sous_signal TERM' URG
(export "$sous_marker=1"; exec "$@" ${outputs(apart)} <&5 5<&-) &
sous_command=$!
(read -r sous_line <&3; sous_end) >/dev/null 2>&1 &
sous_watcher=$!
${awaitCommand(quotedProgram(find, "sleep"))}
sous_end
echo "code $sous_code" >&3
kill -KILL "$sous_watcher" 2>/dev/null
`;
