// Trust as a person gives and takes it: by folder.
import { type ActingFiles, actingFiles } from "./config/acting-files.ts";
import { projectRoot, trustFile, trustedFolders as read } from "./config/trust.ts";
import { HostError } from "./host-error.ts";
import { projectFiles } from "./project.ts";
import { realFolder } from "./real-folder.ts";

export { type Difference, distrust, trust, trustIn } from "./config/trust.ts";

/** What a person is shown and asked about: one reading. */
export { type ActingFiles, actingFiles };

/** Whether two readings hold the same files with the same content. */
export function isSameReading(one: ActingFiles, other: ActingFiles): boolean {
  const paths = Object.keys(one);
  return paths.length === Object.keys(other).length && paths.every((path) => one[path]?.mark === other[path]?.mark);
}

/** The project a folder belongs to, and which of its files trust is about. */
export async function projectOf(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly root: string; readonly cwd: string; readonly files: readonly string[] }> {
  const real = await realFolder(folder);
  const root = projectRoot(real, env["HOME"]);
  // Agents are many: their folder stands for them.
  const named = Object.keys(actingFiles(root, real)).filter((path) => !/(^|\/)\.(sous|claude)\/agents\//.test(path));
  return { root, cwd: real, files: [...new Set([...projectFiles(real, root), ...named])] };
}

export function trustedFolders(stateDir: string): readonly string[] {
  const folders = read(stateDir);
  if (folders) return folders;
  throw new HostError(`${trustFile(stateDir)} is damaged: mend or remove it`, "failed");
}
