// The reach of a tool that is given a path: where it really leads, and what was asked for where that is another path.
import type { Reach } from "../../core/permissions.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { absolutePath } from "../../std/absolute-path.ts";

export async function pathReach(
  { workspace }: { readonly workspace: Pick<Workspace, "cwd" | "resolve"> },
  may: "read" | "write",
  path: string,
): Promise<readonly Reach[]> {
  const real = await workspace.resolve(path);
  const asked = absolutePath(workspace.cwd, path);
  return [{ may, path: real, ...(asked !== real && { asked }) }];
}
