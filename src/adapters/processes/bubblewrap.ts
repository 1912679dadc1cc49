// Owns a command by bubblewrap: a PID namespace with its own /proc, tied to the life of the engine.
import { killNamespace, namespaceInit } from "./namespace-init.ts";
import { throughRealPipe } from "./real-pipe.ts";
import type { Confinement } from "../../ports/processes.ts";
import type { FindStrategies, Relay, Strategy } from "./strategy.ts";

export const bubblewrap: FindStrategies = (find) => {
  const bwrap = find("bwrap");
  if (!bwrap) return [];
  const argv: Strategy["argv"] = (shell, apart, { confine, relay } = {}) => {
    const wrap = [
      bwrap,
      ...mounts(confine, relay),
      "--unshare-pid",
      "--proc",
      "/proc",
      "--die-with-parent",
      "--as-pid-1",
    ];
    return throughRealPipe(find, [...wrap, "--", ...namespaceInit(find, apart, relay), ...shell], apart);
  };
  return [{ name: "bubblewrap", argv, kill: killNamespace, confines: true }];
};

/** What root could undo a mount with, or reach around it. Nobody else has these. */
const POWERS = ["SYS_ADMIN", "DAC_READ_SEARCH", "MKNOD", "SYS_RAWIO", "SYS_PTRACE", "SYS_MODULE", "NET_ADMIN"].map(
  (name) => `CAP_${name}`,
);

/** As PID 1, so that bwrap ends after the namespace and not when the command does. Later mounts lie over earlier ones. */
function mounts(confine: Confinement | undefined, relay: Relay | undefined): readonly string[] {
  const { write, protect = [], except = [], network = true } = confine ?? {};
  const bind = (how: string) => (path: string) => [how, path, path];
  return [
    ...(write ? ["--ro-bind", "/", "/", "--dev", "/dev", "--tmpfs", "/tmp"] : ["--dev-bind", "/", "/"]),
    ...protect.flatMap(bind("--ro-bind")),
    ...[...(write ?? []), ...except].flatMap(bind("--bind")),
    ...(relay ? bind("--ro-bind")(relay.socket) : []),
    ...(network === true ? [] : ["--unshare-net"]),
    ...(confine ? POWERS.flatMap((power) => ["--cap-drop", power]) : []),
  ];
}
