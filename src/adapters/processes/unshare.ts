// Owns a command by util-linux: a PID namespace with its own /proc, tied to the life of the engine by a signal that the
// kernel sends when the parent dies.
import type { FindProgram } from "./find-program.ts";
import { killNamespace, namespaceInit } from "./namespace-init.ts";
import { throughRealPipe } from "./real-pipe.ts";
import type { FindStrategies, Strategy } from "./strategy.ts";

export const unshare: FindStrategies = (find) => {
  const [setpriv, program] = [find("setpriv"), find("unshare")];
  if (!setpriv || !program) return [];
  const bound = [setpriv, "--pdeathsig", "KILL", program, "--pid", "--fork", "--kill-child=KILL", "--mount-proc"];
  // A user namespace takes away setuid programs (sudo), so only where nothing else gives a PID namespace.
  const inUserNamespace = strategy(find, [...bound, "--user", "--map-current-user"]);
  return process.getuid?.() === 0 ? [strategy(find, bound), inUserNamespace] : [inUserNamespace];
};

function strategy(find: FindProgram, wrap: readonly string[]): Strategy {
  const argv = (shell: readonly string[], apart: boolean): readonly string[] =>
    throughRealPipe(find, [...wrap, ...namespaceInit(find, apart), ...shell], apart);
  return { name: "unshare", argv, kill: killNamespace, confines: false };
}
