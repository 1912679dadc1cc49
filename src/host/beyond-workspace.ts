// What two built-in agents may touch outside of the workspace, because they are about it: the guide reads Sous's own
// documentation; who sets up the status line changes the person's configuration, where mode and person allow it.
import { join } from "node:path";
import { realPath } from "../adapters/workspaces/real-path.ts";
import type { Beyond } from "../core/permissions.ts";
import { ownConfigFile } from "./config/places.ts";
import { docsFolder } from "./docs-folder.ts";

type Env = Readonly<Record<string, string | undefined>>;

const SHELL_FILES = [".zshrc", ".bashrc", ".bash_profile", ".profile"];

/** By the built-in's name; undefined for all others. */
export async function beyondWorkspace(agent: string, env: Env): Promise<Beyond | undefined> {
  const docs = agent === "guide" ? docsFolder() : undefined;
  if (docs !== undefined) return { read: [docs], write: [] };
  if (agent !== "statusline-setup") return undefined;
  const home = env["HOME"];
  const read = home ? SHELL_FILES.map((name) => join(home, name)) : [];
  return { read: await Promise.all(read.map((path) => realPath(path))), write: [await realPath(ownConfigFile(env))] };
}
