// What a copy's repository holds besides its branch, as one commit that can be kept: other commits are its parents, what
// was only staged or stashed is in its tree by the name that git gave it.
import type { Worktree } from "../../ports/worktrees.ts";
import { ownObjects, parentsOf, storeWithCopy } from "./own-objects.ts";
import { GitProblem, runGit } from "./run-git.ts";

/** undefined where there is nothing but what `kept` reaches. */
export async function commitOfRest(worktree: Worktree, kept: string, signal: AbortSignal): Promise<string | undefined> {
  const own = storeWithCopy(worktree, signal);
  const rest = await ownObjects(worktree, () => Promise.resolve([kept]), signal);
  if (rest.length === 0) return undefined;
  const odd = rest.find(({ kind }) => !["commit", "tree", "blob"].includes(kind));
  if (odd) throw new GitProblem(`the ${odd.kind} ${odd.id.slice(0, 10)} of its repository is on no branch`);
  const commits = rest.filter(({ kind }) => kind === "commit").map(({ id }) => id);
  const above = new Set((await Promise.all(commits.map((id) => parentsOf(own, id)))).flat());
  const tips = commits.filter((id) => !above.has(id));
  const reached = new Set(
    (await ownObjects(worktree, () => Promise.resolve([kept, ...tips]), signal)).map(({ id }) => id),
  );
  const loose = rest.filter(({ id, kind }) => kind !== "commit" && reached.has(id));
  const entry = ({ id, kind }: (typeof rest)[number]): string =>
    kind === "blob" ? `100644 blob ${id}\t${id}\n` : `040000 tree ${id}\t${id}.d\n`;
  const tree = text(await runGit({ ...own, args: ["mktree"], input: loose.map(entry).join("") }));
  const parents = (tips.length > 0 ? tips : [kept]).flatMap((id) => ["-p", id]);
  return text(await runGit({ ...own, args: ["commit-tree", tree, ...parents, "-m", MESSAGE] }));
}

const MESSAGE = "what else stood in the repository of this copy\n\nIts parents were on no branch that was kept.";

const text = (bytes: Buffer): string => bytes.toString("utf8").trim();
