// Owns a command by bubblewrap: a PID namespace with its own /proc, tied to the life of the engine.
import { existsSync, realpathSync } from "node:fs";
import { killNamespace, namespaceInit } from "./namespace-init.ts";
import { throughRealPipe } from "./real-pipe.ts";
import type { Bounds, FindStrategies, Strategy } from "./strategy.ts";

export const bubblewrap: FindStrategies = (find) => {
  const bwrap = find("bwrap");
  if (!bwrap) return [];
  const argv: Strategy["argv"] = (shell, apart, bounds = {}) => {
    const wrap = [bwrap, ...mounts(bounds), "--unshare-pid", "--proc", "/proc", "--die-with-parent", "--as-pid-1"];
    return throughRealPipe(find, [...wrap, "--", ...namespaceInit(find, apart, bounds.relay), ...shell], apart);
  };
  return [{ name: "bubblewrap", argv, kill: killNamespace, confines: true }];
};

/** What root could undo a mount with, or reach around it. Nobody else has these. */
const POWERS = ["SYS_ADMIN", "DAC_READ_SEARCH", "MKNOD", "SYS_RAWIO", "SYS_PTRACE", "SYS_MODULE", "NET_ADMIN"].map(
  (name) => `CAP_${name}`,
);

/** As PID 1, so that bwrap ends after the namespace and not when the command does. Later mounts lie over earlier ones. */
function mounts({ confine, spare, relay }: Bounds): readonly string[] {
  const { write, protect = [], except = [], network = true } = confine ?? {};
  const bind = (how: string) => (path: string) => [how, path, path];
  return [
    ...(write
      ? ["--ro-bind", "/", "/", "--dev", "/dev", "--tmpfs", "/tmp", ...withoutServices()]
      : ["--dev-bind", "/", "/"]),
    // Where only some folders can be written, the rest is spared already.
    ...(spare && !write
      ? [...spare.keep.flatMap(bind("--ro-bind-try")), ...spare.except.flatMap(bind("--bind-try"))]
      : []),
    ...protect.flatMap(bind("--ro-bind")),
    ...[...(write ?? []), ...except].flatMap(bind("--bind")),
    ...(spare?.hide ?? []).flatMap((path) => ["--perms", "0700", "--tmpfs", path]),
    ...(relay ? bind("--ro-bind")(relay.socket) : []),
    ...(network === true ? [] : ["--unshare-net"]),
    ...(confine ? POWERS.flatMap((power) => ["--cap-drop", power]) : []),
  ];
}

/**
 * Services of the machine and of the person listen in /run, on sockets that a read-only mount and a network of its own do
 * not close: what would do things for a command outside of its sandbox. Names and programs are still found.
 */
function withoutServices(): readonly string[] {
  if (!existsSync("/run")) return [];
  const needed = ["/run/current-system", "/run/wrappers", "/run/opengl-driver", resolvers()];
  return [
    "--tmpfs",
    "/run",
    ...needed.flatMap((path) => (path.startsWith("/run/") ? ["--ro-bind-try", path, path] : [])),
  ];
}

function resolvers(): string {
  try {
    return realpathSync("/etc/resolv.conf");
  } catch {
    return "";
  }
}
