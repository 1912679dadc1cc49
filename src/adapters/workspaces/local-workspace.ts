// A folder of this machine as an agent's workspace.
import { resolve } from "node:path";
import type { Workspace } from "../../ports/workspace.ts";
import { listFolder } from "./list-folder.ts";
import { readLines, readWhole } from "./read-file.ts";
import { realPath } from "./real-path.ts";
import { replaceFile } from "./replace-file.ts";

export function createLocalWorkspace(cwd: string): Workspace {
  return {
    cwd,
    resolve: (path) => realPath(resolve(cwd, path)),
    readLines,
    readWhole,
    list: listFolder,
    write: (order) => replaceFile(order),
  };
}
