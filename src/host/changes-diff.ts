// What a session's tools made of files, line by line: from what each file held before the first edit to what it holds now.
import { isAbsolute, relative } from "node:path";
import { type FileStates, diffFiles } from "../adapters/worktrees/diff-files.ts";
import { GitProblem } from "../adapters/worktrees/run-git.ts";
import { type ChangedFile, type Changes, contentBefore, contentNow } from "./changes.ts";

/** `problem`: why it cannot be shown. */
export type Diff = { readonly diff: string } | { readonly problem: string };

export async function diffOf(
  stateDir: string,
  { session, cwd }: Changes,
  files: readonly ChangedFile[],
): Promise<Diff> {
  const states: FileStates[] = [];
  for (const file of files) {
    const before = file.before === null ? null : await contentBefore(stateDir, session, file.before);
    if (before === undefined) return { problem: `the old content of ${file.path} is no longer kept` };
    const now = await contentNow(file.path);
    const mode = now?.mode ?? 0o644;
    states.push({
      name: nameIn(cwd, file.path),
      before: before && { bytes: before, mode: file.mode ?? mode },
      after: now && { bytes: now.bytes, mode },
    });
  }
  return asDiff(() => diffFiles(states));
}

/** What git cannot do is said, not thrown: the list of files is there all the same. */
export async function asDiff(make: () => Promise<string>): Promise<Diff> {
  try {
    return { diff: await make() };
  } catch (error) {
    if (error instanceof GitProblem) return { problem: error.message };
    throw error;
  }
}

function nameIn(cwd: string, path: string): string {
  const near = relative(cwd, path);
  return near.startsWith("..") || isAbsolute(near) ? `(outside)${path}` : near;
}
