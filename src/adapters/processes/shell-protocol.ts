// What the engine and the shell around a command tell each other, on a socket that the command does not have and cannot
// open again: that it may start, and how it ended. What the command prints is never part of it.
import { constants } from "node:os";

export type ExitReport = { readonly code: number | null; readonly signal: string | null };

/**
 * Shell lines before the command: nothing is started until the engine answers. By then whatever ties the command to
 * the engine is in place; an engine that died on the way cannot answer.
 */
export const handshake = `
echo ready >&3
read -r sous_go <&3 || exit
`;

/**
 * Shell lines that wait for `$sous_command` and set `sous_code`. A shell gives 128 + n both for `exit 128+n` and for a
 * death by signal n, but bash with job control also says which it was ("Exit 137", "Killed"): that goes to the report.
 * The locale is set only now, when the command has its own environment already. A wait ends early, with a status of its
 * own, when a trap ran or the command was stopped: hence the loop and the second look. (`wait -f` would not, but in
 * bash 5.2 it can miss the end of a short command and hang.) `sleep` is the program's path: PATH is the command's.
 */
export const awaitCommand = (sleep: string): string => `
LC_ALL=C
while wait "$sous_command"; sous_code=$?; kill -0 "$sous_command" 2>/dev/null; do ${sleep} 0.05; done
if [ "$sous_code" -gt 128 ]; then
  wait "$sous_command"; sous_again=$?
  [ "$sous_again" = 127 ] || sous_code=$sous_again
fi
`;

/** What a command's descriptors are: never the socket, and its stderr with stdout or apart from it. */
export const outputs = (apart: boolean): string => (apart ? "2>&4 3>&- 4>&-" : "2>&1 3>&-");

/** Undefined when there is no report: the reporter itself was killed. */
export function readExitReport(report: string): ExitReport | undefined {
  const code = Number(/^code (\d+)$/m.exec(report)?.[1] ?? Number.NaN);
  if (Number.isNaN(code)) return undefined;
  const notices = report.split("\n").filter((line) => line.includes('"$@"') && !/\b(Stopped|Running)\b/.test(line));
  const exited = notices.length === 0 || notices.some((line) => line.includes(` ${code}  `));
  if (code <= 128 || exited) return { code, signal: null };
  return { code: null, signal: signalName(code - 128) };
}

const signalName = (number: number): string =>
  Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? `SIG${number}`;
