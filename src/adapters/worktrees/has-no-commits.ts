// Whether a copy's own repository still holds nothing but the state it was made from: read from its files, because to
// ask git there would be to obey what its agent configured. What is not plainly so is not.
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Worktree } from "../../ports/worktrees.ts";

export async function hasNoCommits({ root, base, branch }: Worktree): Promise<boolean> {
  const gitDir = join(root, ".git");
  const own = join("refs", "heads", branch);
  try {
    const files = await readdir(join(gitDir, "refs"), { recursive: true, withFileTypes: true });
    const refs = files.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
    if (refs.length !== 1 || refs[0] !== join(gitDir, own)) return false;
    const [tip, head] = [await readFile(join(gitDir, own), "utf8"), await readFile(join(gitDir, "HEAD"), "utf8")];
    const packed = await readFile(join(gitDir, "packed-refs"), "utf8").catch(() => "");
    return tip.trim() === base && head.trim() === `ref: refs/heads/${branch}` && packed === "";
  } catch {
    return false;
  }
}
