// Puts a whole work tree into an index of ours, without looking into repositories inside of it: for one that is known as
// a submodule git would start a git in there, which obeys that repository's configuration.
import { listedNames, nameBytes } from "./path-names.ts";
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
    const inner = listedNames(listed).filter((path) => path.endsWith("/"));
    if (inner.length === 0) throw error;
    await addWithout(own, [...links, ...inner.map((path) => path.slice(0, -1))]);
  }
}

/** Names of folders that an index has as a link to a commit. */
export async function linksIn(own: Omit<GitCall, "args">): Promise<readonly string[]> {
  const staged = listedNames(await runGit({ ...own, args: ["ls-files", "--stage", "-z"] }));
  return staged.flatMap((line) => (line.startsWith("160000 ") ? [line.slice(line.indexOf("\t") + 1)] : []));
}

async function addWithout(own: Omit<GitCall, "args">, left: readonly string[]): Promise<void> {
  const without = left.map((name) => `:(exclude,top,literal)${name}`);
  if (without.length === 0) return void (await runGit({ ...own, args: ["add", "--all"] }));
  const input = nameBytes([":/", ...without].map((pathspec) => `${pathspec}\0`).join(""));
  await runGit({ ...own, args: ["add", "--all", "--pathspec-from-file=-", "--pathspec-file-nul"], input });
}
