// A /dev of the command's own, as shell lines for the first process of a namespace: the plain devices, the useful ones, and
// terminals that are nobody else's. What is written to a person's terminal can answer for them.
import { statSync } from "node:fs";
import { usefulDevices } from "./devices.ts";
import { type FindProgram, quotedProgram } from "./find-program.ts";

const PLAIN = ["null", "zero", "full", "random", "urandom", "tty"];
const LINKS = { fd: "/proc/self/fd", stdin: "fd/0", stdout: "fd/1", stderr: "fd/2", ptmx: "pts/ptmx" };

/** Put together where the terminals are, which is a folder on every system, and moved over /dev when it is whole. */
const BUILT_AT = "/dev/pts";

/** `mount` says a mount in the shell's words. */
export function ownDevices(find: FindProgram, mount: (...words: readonly string[]) => string): readonly string[] {
  const [mkdir, ln] = [quotedProgram(find, "mkdir"), quotedProgram(find, "ln")];
  const devices = [...PLAIN.map((name) => `/dev/${name}`), ...usefulDevices()].flatMap((path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found ? [{ path, at: path.replace("/dev", BUILT_AT), isFolder: found.isDirectory() }] : [];
  });
  const [folders, files] = [devices.filter(({ isFolder }) => isFolder), devices.filter(({ isFolder }) => !isFolder)];
  const made = [`${BUILT_AT}/pts`, ...folders.map(({ at }) => at)];
  const terminals = ["-t", "devpts", "-o", "newinstance,ptmxmode=0666,mode=620", "devpts", `${BUILT_AT}/pts`];
  return [
    mount("-t", "tmpfs", "-o", "mode=0755", "tmpfs", BUILT_AT),
    `${mkdir} ${made.join(" ")}`,
    ...files.map(({ at }) => `: >${at}`),
    ...Object.entries(LINKS).map(([name, target]) => `${ln} -s ${target} ${BUILT_AT}/${name}`),
    ...devices.map(({ path, at }) => mount("--rbind", path, at)),
    mount(...terminals),
    mount("--no-mtab", "--move", BUILT_AT, "/dev"),
  ];
}
