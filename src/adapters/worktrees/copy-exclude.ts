// What a repository ignores by its own `info/exclude` is ignored in a git folder of ours, too.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readBounded } from "../files/read-bounded.ts";

const MOST_BYTES = 1024 * 1024;

export async function copyExclude(fromGitDir: string, toGitDir: string): Promise<void> {
  const found = await readBounded(join(fromGitDir, "info", "exclude"), { most: MOST_BYTES });
  if (found.ok) await writeFile(join(toGitDir, "info", "exclude"), found.bytes);
}
