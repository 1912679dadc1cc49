// The commit in which a copy's agent left off, read from its git folder's files.
import { join } from "node:path";
import type { Worktree } from "../../ports/worktrees.ts";
import { readSmallText } from "../files/read-bounded.ts";
import { type GitCall, GitProblem, runGit } from "./run-git.ts";

const MOST_REF = 4 * 1024;
const MOST_REFS = 16 * 1024 * 1024;

/** Where its agent left off, if that follows on the state it began with; else that state. */
export async function tipOf({ root, base }: Worktree, own: Omit<GitCall, "args">): Promise<string> {
  const gitDir = join(root, ".git");
  const head = (await readSmallText(join(gitDir, "HEAD"), { most: MOST_REF })) ?? "";
  const ref = /^ref: (refs\/heads\/[^\n]+)$/m.exec(head)?.[1];
  const inPack = async (): Promise<string> => {
    const packed = (await readSmallText(join(gitDir, "packed-refs"), { most: MOST_REFS })) ?? "";
    return packed.split("\n").find((line) => line.endsWith(` ${ref}`)) ?? "";
  };
  const loose =
    ref === undefined || ref.includes("..") ? head : await readSmallText(join(gitDir, ref), { most: MOST_REF });
  const line = loose ?? (await inPack());
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
