// What stands in a copy and is in no tree of it: repositories inside of it, and what only rules of its agent's own making
// ignore. Nothing of it can be told to be worthless, so that a copy is not clean with it.
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Worktree, WorktreeChange } from "../../ports/worktrees.ts";
import { readBounded } from "../files/read-bounded.ts";
import { blobId } from "./blob-id.ts";
import { linksIn } from "./add-all.ts";
import { type GitCall, runGit } from "./run-git.ts";

/** `call` has the copy and an index with all of it that can be in a tree. */
export async function standsApart(
  { root, base }: Worktree,
  call: Omit<GitCall, "args">,
): Promise<readonly WorktreeChange[]> {
  const links = await filledLinks(root, call);
  const listed = await runGit({ ...call, args: ["ls-files", "--others", "--directory", "--no-empty-directory", "-z"] });
  const others = split(listed);
  const rules = await rulesFor(others, call);
  const asMade = await unchangedRules(root, base, new Set(rules.values()), call);
  const apart = others.flatMap((path) => {
    const rule = rules.get(path);
    if (rule === undefined) return [{ path, why: REPOSITORY }];
    return asMade.has(rule) || isCache(join(root, path)) ? [] : [{ path, why: `only ${rule} of the copy ignores it` }];
  });
  const none = { before: null, after: null, added: null, removed: null };
  return [...links.map((path) => ({ path: `${path}/`, why: REPOSITORY })), ...apart].map(({ path, why }) => ({
    ...{ path, ...none, apart: `${why}; it stands in ${join(root, path)}` },
  }));
}

const REPOSITORY = "it is a repository of its own";

/** Folders that a tree has as a link to a commit. They are empty in a copy as it is made. */
async function filledLinks(root: string, call: Omit<GitCall, "args">): Promise<string[]> {
  const links = await linksIn(call);
  const filled = await Promise.all(links.map((path) => readdir(join(root, path)).catch(() => [])));
  return links.filter((_, at) => filled[at]!.length > 0);
}

/** For each path that is ignored the file whose rule does it. */
async function rulesFor(paths: readonly string[], call: Omit<GitCall, "args">): Promise<Map<string, string>> {
  if (paths.length === 0) return new Map();
  const input = paths.map((path) => `${path}\0`).join("");
  const args = ["check-ignore", "--verbose", "-z", "--stdin"];
  const fields = split(await runGit({ ...call, args, input, mayBeOne: true }));
  const found = new Map<string, string>();
  for (let at = 0; at + 3 < fields.length; at += 4) found.set(fields[at + 3]!, fields[at]!);
  return found;
}

/** Rules that stood in the project when the copy was made, or that we keep outside of it. */
async function unchangedRules(
  root: string,
  base: string,
  rules: ReadonlySet<string>,
  call: Omit<GitCall, "args">,
): Promise<ReadonlySet<string>> {
  const ofCopy = [...rules].filter((rule) => rule.endsWith(".gitignore"));
  const kept = new Set([...rules].filter((rule) => !ofCopy.includes(rule)));
  if (ofCopy.length === 0) return kept;
  const lines = split(await runGit({ ...call, args: ["ls-tree", "-z", base, "--", ...ofCopy.slice(0, MOST_RULES)] }));
  for (const line of lines) {
    const [about = "", rule = ""] = line.split("\t");
    const found = await readBounded(join(root, rule), { most: MOST_RULE_BYTES, within: root });
    if (found.ok && about.split(" ")[2] === blobId(base, found.bytes)) kept.add(rule);
  }
  return kept;
}

const MOST_RULES = 1_000;
const MOST_RULE_BYTES = 1024 * 1024;

/** Programs mark what they can make again. */
const isCache = (path: string): boolean => ["CACHEDIR.TAG", "pyvenv.cfg"].some((name) => existsSync(join(path, name)));

const split = (bytes: Buffer): string[] => bytes.toString("utf8").split("\0").filter(Boolean);
