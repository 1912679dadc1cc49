// A folder a person named, as its real path; a clear word when it is none.
import { realpath, stat } from "node:fs/promises";
import { HostError } from "./host-error.ts";

export async function realFolder(path: string): Promise<string> {
  try {
    const real = await realpath(path);
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT")
      throw new HostError(`the folder ${path} cannot be opened: ${(error as Error).message}`);
    throw new HostError(`the folder ${path} does not exist`);
  }
  throw new HostError(`${path} is not a folder`);
}
