// Where a system program is. Only the system's own folders are looked at: PATH may lead into a handed-over repository.
import { accessSync, constants } from "node:fs";

export type FindProgram = (name: string) => string | undefined;

export const findProgram: FindProgram = (name) => folders.map((folder) => `${folder}/${name}`).find(isExecutable);

const folders = ["/bin", "/usr/bin", "/sbin", "/usr/sbin", "/usr/local/bin", "/run/current-system/sw/bin"];

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
