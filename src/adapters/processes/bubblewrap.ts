// Owns a command by bubblewrap: a PID namespace with its own /proc, tied to the life of the engine.
import { killNamespace, namespaceInit } from "./namespace-init.ts";
import { throughRealPipe } from "./real-pipe.ts";
import type { FindStrategies } from "./strategy.ts";

export const bubblewrap: FindStrategies = (find) => {
  const bwrap = find("bwrap");
  if (!bwrap) return [];
  // As PID 1, so that bwrap ends after the namespace and not when the command does.
  const wrap = [bwrap, "--dev-bind", "/", "/", "--unshare-pid", "--proc", "/proc", "--die-with-parent", "--as-pid-1"];
  const argv = (shell: readonly string[], apart: boolean): readonly string[] =>
    throughRealPipe(find, [...wrap, "--", ...namespaceInit(find, apart), ...shell], apart);
  return [{ name: "bubblewrap", argv, kill: killNamespace }];
};
