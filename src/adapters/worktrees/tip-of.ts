// The commit in which a copy's agent left off, read from its git folder's files.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Worktree } from "../../ports/worktrees.ts";
import { type GitCall, GitProblem, runGit } from "./run-git.ts";

/** Where its agent left off, if that follows on the state it began with; else that state. */
export async function tipOf({ root, base }: Worktree, own: Omit<GitCall, "args">): Promise<string> {
  const gitDir = join(root, ".git");
  const head = await readFile(join(gitDir, "HEAD"), "utf8").catch(() => "");
  const ref = /^ref: (refs\/heads\/[^\n]+)$/m.exec(head)?.[1];
  const inPack = async (): Promise<string> => {
    const packed = await readFile(join(gitDir, "packed-refs"), "utf8").catch(() => "");
    return packed.split("\n").find((line) => line.endsWith(` ${ref}`)) ?? "";
  };
  const line = ref === undefined || ref.includes("..") ? head : await readFile(join(gitDir, ref), "utf8").catch(inPack);
  const tip = /^[0-9a-f]{40,64}/.exec(line)?.[0];
  if (tip === undefined) return base;
  try {
    const common = (await runGit({ ...own, args: ["merge-base", base, tip], mayBeOne: true })).toString("utf8").trim();
    return common === base ? tip : base;
  } catch (error) {
    if (error instanceof GitProblem) return base;
    throw error;
  }
}
