// Node gives a child sockets for pipes, and a socket cannot be opened again: `echo x > /dev/stderr` would fail.
// A relay outside the namespace gives the command a real pipe; it ends by itself when the last writer is gone.
import { type FindProgram, quotedProgram } from "./find-program.ts";

/** `apart`: what the command says on stderr has a pipe of its own, at descriptor 4. */
export function throughRealPipe(find: FindProgram, argv: readonly string[], apart: boolean): readonly string[] {
  const bash = find("bash");
  return bash ? [bash, "-p", "-c", script(quotedProgram(find, "cat"), apart), "sous", ...argv] : argv;
}

/** The relay runs outside of what the command is held to, with the command's PATH: so `cat` is a path. */
const script = (cat: string, apart: boolean): string =>
  apart
    ? `exec > >(exec ${cat} 2>/dev/null 3>&- 4>&-); exec 4> >(exec ${cat} >&4 2>/dev/null 3>&- 4>&-); exec "$@"`
    : `exec > >(exec ${cat} 2>/dev/null 3>&-); exec "$@"`;
