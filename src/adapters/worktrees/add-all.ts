// Puts a whole work tree into an index of ours, without looking into repositories inside of it: for one that is known as
// a submodule git would start a git in there, which obeys that repository's configuration.
import { type GitCall, GitProblem, runGit } from "./run-git.ts";

/** Submodules stay as the index has them. */
export async function addAll(own: Omit<GitCall, "args">): Promise<void> {
  const links = await linksIn(own);
  try {
    await addWithout(own, links);
  } catch (error) {
    if (!(error instanceof GitProblem)) throw error;
    // A repository without a commit makes git give up; it stands apart like any other, and the rest is added.
    const listed = await runGit({ ...own, args: ["ls-files", "--others", "--exclude-standard", "-z"] });
    const inner = split(listed).filter((path) => path.endsWith("/"));
    if (inner.length === 0) throw error;
    await addWithout(own, [...links, ...inner.map((path) => path.slice(0, -1))]);
  }
}

/** Folders that an index has as a link to a commit. */
export async function linksIn(own: Omit<GitCall, "args">): Promise<readonly string[]> {
  const staged = split(await runGit({ ...own, args: ["ls-files", "--stage", "-z"] }));
  return staged.flatMap((line) => (line.startsWith("160000 ") ? [line.slice(line.indexOf("\t") + 1)] : []));
}

async function addWithout(own: Omit<GitCall, "args">, left: readonly string[]): Promise<void> {
  const without = left.map((path) => `:(exclude,top,literal)${path}`);
  await runGit({ ...own, args: ["add", "--all", ...(without.length > 0 ? ["--", ":/", ...without] : [])] });
}

const split = (bytes: Buffer): string[] => bytes.toString("utf8").split("\0").filter(Boolean);
