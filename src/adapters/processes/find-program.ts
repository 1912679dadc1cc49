// Where a program of the system is. Only folders of the system are looked at, by absolute path: PATH may lead into a
// workspace, where an agent can put a program under any name.
import { accessSync, constants } from "node:fs";

export type FindProgram = (name: string) => string | undefined;

export const findProgram: FindProgram = (name) =>
  SYSTEM_FOLDERS.map((folder) => `${folder}/${name}`).find(isExecutable);

/** As found by `find`, quoted for a shell; where it is not found, as the system usually has it. */
export const quotedProgram = (find: FindProgram, name: string): string =>
  `'${(find(name) ?? `/usr/bin/${name}`).replaceAll("'", "'\\''")}'`;

export const SYSTEM_FOLDERS: readonly string[] = [
  ...["/bin", "/usr/bin", "/sbin", "/usr/sbin", "/usr/local/bin", "/run/current-system/sw/bin"],
  ...["/nix/var/nix/profiles/default/bin", "/opt/homebrew/bin", "/opt/local/bin", "/home/linuxbrew/.linuxbrew/bin"],
];

/** The PATH of programs that we start for ourselves. */
export const SYSTEM_PATH = SYSTEM_FOLDERS.join(":");

/** The first place of a program among absolute folders of a PATH: to tell of it, never to start it. */
export const findOnPath = (name: string, path: string): string | undefined =>
  path
    .split(":")
    .filter((folder) => folder.startsWith("/"))
    .map((folder) => `${folder}/${name}`)
    .find(isExecutable);

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
