// Node gives a child sockets for pipes, and a socket cannot be opened again: `echo x > /dev/stderr` would fail.
// A relay outside the namespace gives the command a real pipe; it ends by itself when the last writer is gone.
import type { FindProgram } from "./find-program.ts";

export function throughRealPipe(find: FindProgram, argv: readonly string[]): readonly string[] {
  const bash = find("bash");
  return bash ? [bash, "-p", "-c", script, "sous", ...argv] : argv;
}

const script = 'exec > >(exec cat 2>/dev/null 3>&-); exec "$@"';
