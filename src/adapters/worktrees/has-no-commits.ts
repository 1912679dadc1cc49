// Whether a copy's own repository still holds nothing but the state it was made from: read from its files, because to
// ask git there would be to obey what its agent configured. What is not plainly so is not.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Worktree } from "../../ports/worktrees.ts";
import { readBounded, readSmallText } from "../files/read-bounded.ts";

const SMALL = { most: 4 * 1024 };

export async function hasNoCommits({ root, base, branch }: Worktree): Promise<boolean> {
  const gitDir = join(root, ".git");
  const own = join("refs", "heads", branch);
  try {
    const files = await readdir(join(gitDir, "refs"), { recursive: true, withFileTypes: true });
    const refs = files.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
    if (refs.length !== 1 || refs[0] !== join(gitDir, own)) return false;
    const tip = await readSmallText(join(gitDir, own), SMALL);
    const head = await readSmallText(join(gitDir, "HEAD"), SMALL);
    const packed = await readBounded(join(gitDir, "packed-refs"), SMALL);
    const isUnpacked = packed.ok ? packed.bytes.length === 0 : packed.code === "missing";
    return tip?.trim() === base && head?.trim() === `ref: refs/heads/${branch}` && isUnpacked;
  } catch {
    return false;
  }
}
