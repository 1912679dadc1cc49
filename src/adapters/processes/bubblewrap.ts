// Owns a command by bubblewrap: a PID namespace with its own /proc, tied to the life of the engine, in which only those
// files can be changed or reached that its bounds leave.
import { existsSync, realpathSync } from "node:fs";
import { markFolder } from "../../core/caller.ts";
import { usefulDevices } from "./devices.ts";
import { kernelFiles, kernelMounts } from "./kernel-files.ts";
import { type Mount, mountPlan } from "./mount-plan.ts";
import { killNamespace, namespaceInit } from "./namespace-init.ts";
import { droppedPowers } from "./powers.ts";
import { throughRealPipe } from "./real-pipe.ts";
import { NOTHING_SPARED } from "./spare.ts";
import type { Bounds, FindStrategies, Strategy } from "./strategy.ts";
import { unaskedView } from "./unasked-view.ts";

export const bubblewrap: FindStrategies = (find) => {
  const bwrap = find("bwrap");
  if (!bwrap) return [];
  const argv: Strategy["argv"] = (shell, apart, bounds = {}) => {
    const wrap = [bwrap, ...mounts(bounds), "--unshare-pid", "--die-with-parent", "--as-pid-1"];
    return throughRealPipe(find, [...wrap, "--", ...namespaceInit(find, { apart, ...bounds }), ...shell], apart);
  };
  return [{ name: "bubblewrap", argv, kill: killNamespace, confines: true }];
};

/** As PID 1, so that bwrap ends after the namespace and not when the command does. Later mounts lie over earlier ones. */
function mounts({ confine, spare, relay, unasked, depth = 1 }: Bounds): readonly string[] {
  const own = ["--proc", "/proc", "--dev", "/dev", "--tmpfs", `/dev/${markFolder(depth)}`];
  const kernel = kernelFiles().flatMap(same("--ro-bind-try"));
  if (unasked) return [...unaskedView(unasked, spare, inWords), ...own, ...kernel, "--remount-ro", "/"];
  const { write, network = true } = confine ?? {};
  return [
    ...(write ? ["--ro-bind", "/", "/"] : ["--dev-bind", "/", "/"]),
    // Terminals of its own: what is written to a person's can answer for them.
    ...own,
    ...kernel,
    ...kernelMounts().flatMap(({ path }) => same("--ro-bind-try")(path)),
    ...(write ? ["--tmpfs", "/tmp", ...withoutServices()] : usefulDevices().flatMap(same("--dev-bind-try"))),
    ...mountPlan(spare ?? NOTHING_SPARED, confine).flatMap(inWords),
    ...(relay ? same("--ro-bind")(relay.socket) : []),
    ...(network === true ? [] : ["--unshare-net"]),
    ...droppedPowers(confine !== undefined).flatMap((power) => ["--cap-drop", `CAP_${power}`]),
  ];
}

const same =
  (how: string) =>
  (path: string): string[] => [how, path, path];

/** What went away meanwhile need not be kept from anybody. */
function inWords({ is, path }: Mount): string[] {
  switch (is) {
    case "pin":
    case "writable":
      return ["--bind-try", path, path];
    case "read-only":
      return ["--ro-bind-try", path, path];
    case "empty":
      return ["--perms", "0700", "--tmpfs", path];
    case "nothing":
      return ["--ro-bind", "/dev/null", path];
  }
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
