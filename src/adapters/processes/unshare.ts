// Owns a command by util-linux: a PID namespace with its own /proc, tied to the life of the engine by a signal that the
// kernel sends when the parent dies. What bubblewrap mounts over the files is mounted here by the namespace's first
// process, which alone has the right to.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { markFolder } from "../../core/caller.ts";
import { ownDevices } from "./own-devices.ts";
import { kernelFiles, kernelMounts } from "./kernel-files.ts";
import type { FindProgram } from "./find-program.ts";
import { type Mount, mountPlan } from "./mount-plan.ts";
import { killNamespace, namespaceInit, quoted } from "./namespace-init.ts";
import { droppedPowers } from "./powers.ts";
import { throughRealPipe } from "./real-pipe.ts";
import type { Spare } from "./spare.ts";
import type { Bounds, FindStrategies, Strategy } from "./strategy.ts";

export const unshare: FindStrategies = (find) => {
  const [setpriv, program, mount] = [find("setpriv"), find("unshare"), find("mount")];
  if (!setpriv || !program || !mount) return [];
  const bound = [setpriv, "--pdeathsig", "KILL", program, "--pid", "--fork", "--kill-child=KILL", "--mount-proc"];
  const programs = { find, setpriv, mount };
  const asRoot = strategy(programs, bound);
  // A user namespace takes away setuid programs (sudo), so only where nothing else gives a PID namespace.
  const inUserNamespace = strategy(programs, [...bound, "--user", "--map-current-user", "--keep-caps"]);
  return process.getuid?.() === 0 ? [asRoot, inUserNamespace] : [inUserNamespace];
};

type Programs = { readonly find: FindProgram; readonly setpriv: string; readonly mount: string };

function strategy({ find, setpriv, mount }: Programs, wrap: readonly string[]): Strategy {
  const powers = droppedPowers(false).map((power) => `-${power.toLowerCase()}`);
  const dropping = [setpriv, "--ambient-caps=-all", "--inh-caps=-all", `--bounding-set=${powers.join(",")}`];
  const argv: Strategy["argv"] = (shell, apart, bounds = {}) => {
    const init = namespaceInit(find, { apart, first: mounting(find, mount, bounds) });
    return throughRealPipe(find, [...wrap, ...init, ...dropping, ...shell], apart);
  };
  return { name: "unshare", argv, kill: killNamespace, confines: false };
}

/** Shell lines. The mark is the name of a second /proc over the first: wherever it is mounted, mountinfo tells it. */
function mounting(find: FindProgram, mount: string, { spare, depth = 1 }: Bounds): string {
  const words = (...all: readonly string[]): string => [mount, ...all].map(quoted).join(" ");
  const lines = [
    words("-t", "proc", markFolder(depth), "/proc"),
    ...kernelFiles().map((path) => ifReached(path, words("--bind", "-o", "ro", path, path))),
    ...kernelMounts().map(({ path, flags }) => words("-o", ["remount", "bind", "ro", ...flags].join(","), path)),
    ...ownDevices(find, words),
    ...(spare ? mountPlan(aroundShown(spare)).map((one) => ifReached(one.path, inWords(one, words))) : []),
  ];
  return `{ ${lines.join(" && ")}; } || exit\n`;
}

/** What cannot even be looked at from inside need not be kept from anybody there. */
const ifReached = (path: string, line: string): string => `{ { ${line}; } 2>/dev/null || [ ! -e ${quoted(path)} ]; }`;

function inWords({ is, path }: Mount, words: (...all: readonly string[]) => string): string {
  switch (is) {
    case "pin":
      return words("--bind", path, path);
    case "writable":
      return `${words("--bind", path, path)} && ${words("-o", "remount,bind,rw", path)}`;
    case "read-only":
      return words("--bind", "-o", "ro", path, path);
    case "empty":
      return words("-t", "tmpfs", "-o", "mode=0700", "tmpfs", path);
    case "nothing":
      return words("--bind", "/dev/null", path);
  }
}

/** What is covered cannot be brought back here: of a folder with something to show in it, all the rest is covered. */
function aroundShown(spare: Spare): Spare {
  const parts = spare.hide.flatMap((path) => around(path, spare.show));
  const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const mute = [...spare.mute, ...parts.filter((path) => !isFolder(path))];
  return { ...spare, hide: parts.filter(isFolder), mute, show: [] };
}

function around(path: string, show: readonly string[]): string[] {
  if (show.includes(path)) return [];
  if (!show.some((one) => one.startsWith(`${path}/`))) return [path];
  return readdirSync(path).flatMap((name) => around(join(path, name), show));
}
