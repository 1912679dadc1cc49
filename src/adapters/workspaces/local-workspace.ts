// A folder of this machine as an agent's workspace.
import type { Workspace } from "../../ports/workspace.ts";
import { listFolder } from "./list-folder.ts";
import { readLines, readWhole } from "./read-file.ts";
import { from, realPath } from "./real-path.ts";
import { replaceFile } from "./replace-file.ts";

export function createLocalWorkspace(cwd: string): Workspace {
  return {
    cwd,
    async resolve(path) {
      if (/^~[^/]*\/|^~$/.test(path))
        throw new Error(`${path} begins with ~, which only a shell knows: give the path itself`);
      return realPath(from(cwd, path));
    },
    readLines,
    readWhole,
    list: listFolder,
    write: (order) => replaceFile(order),
  };
}
