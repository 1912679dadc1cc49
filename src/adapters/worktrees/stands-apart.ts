// What stands in a copy and is in no tree of it: repositories inside of it, and what only rules of its agent's own making
// ignore. Nothing of it can be told to be worthless, so that a copy is not clean with it.
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Worktree, WorktreeChange } from "../../ports/worktrees.ts";
import { readBounded } from "../files/read-bounded.ts";
import { blobId } from "./blob-id.ts";
import { linksIn } from "./add-all.ts";
import { findRepositoryBelow } from "./find-repositories.ts";
import { listedNames, nameBytes, nameText, shownName } from "./path-names.ts";
import { type GitCall, runGit } from "./run-git.ts";

type Apart = { readonly name: string; readonly why: string };

/** `call` has the copy and an index with all of it that can be in a tree. */
export async function standsApart(
  { root, base }: Worktree,
  call: Omit<GitCall, "args">,
): Promise<readonly WorktreeChange[]> {
  const links = (await filledLinks(root, call)).map((name) => ({ name: `${name}/`, why: REPOSITORY }));
  const args = ["ls-files", "--others", "--directory", "--no-empty-directory", "-z"];
  const others = listedNames(await runGit({ ...call, args }));
  const repositories = await repositoriesIn(root, others);
  const rest = others.filter((name) => !repositories.some((one) => one.within === name));
  const hidden = await hiddenByOwnRules(root, base, await singled(rest, call), call);
  return [...links, ...repositories, ...hidden].map(({ name, why }) => {
    const path = shownName(name);
    const none = { before: null, after: null, added: null, removed: null };
    return { path, ...none, apart: `${why}; it stands in ${join(root, path)}` };
  });
}

const REPOSITORY = "it is a repository of its own";

/** Whatever ignores them: what was committed there is nowhere else. */
async function repositoriesIn(root: string, others: readonly string[]): Promise<(Apart & { within: string })[]> {
  const apart: (Apart & { within: string })[] = [];
  for (const within of others.filter((name) => name.endsWith("/"))) {
    const top = Buffer.from(`${root}/`);
    const found = await findRepositoryBelow(Buffer.concat([top, nameBytes(within)]));
    if (found.is === "too large")
      apart.push({ within, name: within, why: "it is too large to be searched for repositories" });
    if (found.is !== "found") continue;
    const name = `${found.path.subarray(top.length).toString("latin1").replace(/\/$/, "")}/`;
    apart.push({ within, name, why: REPOSITORY });
  }
  return apart;
}

/** A folder that no rule ignores is told by what stands in it: rules may ignore all of that. */
async function singled(names: readonly string[], call: Omit<GitCall, "args">): Promise<readonly string[]> {
  const rules = await rulesFor(names, call);
  const open = new Set(names.filter((name) => name.endsWith("/") && !rules.has(name)));
  if (open.size === 0) return names;
  const all = listedNames(await runGit({ ...call, args: ["ls-files", "--others", "-z"] }));
  const inside = all.filter((name) => [...open].some((folder) => name.startsWith(folder)));
  return [...names.filter((name) => !open.has(name)), ...inside];
}

/** Those that no rule of the project ignores, but for what programs can make again. */
async function hiddenByOwnRules(
  root: string,
  base: string,
  names: readonly string[],
  call: Omit<GitCall, "args">,
): Promise<Apart[]> {
  const rules = await rulesFor(names, call);
  const asMade = await unchangedRules(root, base, new Set(rules.values()), call);
  return names.flatMap((name) => {
    const rule = rules.get(name);
    if (rule === undefined) return [{ name, why: "no rule of the project ignores it, and no tree can hold it" }];
    const isKnown = asMade.has(rule) || isCache(join(root, nameText(name) ?? ""));
    return isKnown ? [] : [{ name, why: `only ${shownName(rule)} of the copy ignores it` }];
  });
}

/** Folders that a tree has as a link to a commit. They are empty in a copy as it is made. */
async function filledLinks(root: string, call: Omit<GitCall, "args">): Promise<string[]> {
  const links = await linksIn(call);
  const top = Buffer.from(`${root}/`);
  const filled = await Promise.all(links.map((name) => readdir(Buffer.concat([top, nameBytes(name)])).catch(() => [])));
  return links.filter((_, at) => filled[at]!.length > 0);
}

/** For each name that is ignored the file whose rule does it. A rule that begins with `!` takes it out again. */
async function rulesFor(names: readonly string[], call: Omit<GitCall, "args">): Promise<Map<string, string>> {
  if (names.length === 0) return new Map();
  const input = nameBytes(names.map((name) => `${name}\0`).join(""));
  const args = ["check-ignore", "--verbose", "-z", "--stdin"];
  const fields = (await runGit({ ...call, args, input, mayBeOne: true })).toString("latin1").split("\0");
  const found = new Map<string, string>();
  for (let at = 0; at + 3 < fields.length; at += 4) {
    const [source = "", , pattern = "", name = ""] = fields.slice(at, at + 4);
    if (!pattern.startsWith("!")) found.set(name, source);
  }
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
  const named = ofCopy.filter((rule) => nameText(rule) !== undefined).slice(0, MOST_RULES);
  if (named.length === 0) return kept;
  const args = ["--literal-pathspecs", "ls-tree", "-z", base, "--", ...named.map(shownName)];
  for (const line of listedNames(await runGit({ ...call, args }))) {
    const [about = "", rule = ""] = line.split("\t");
    const found = await readBounded(join(root, shownName(rule)), { most: MOST_RULE_BYTES, within: root });
    if (found.ok && about.split(" ")[2] === blobId(base, found.bytes)) kept.add(rule);
  }
  return kept;
}

const MOST_RULES = 1_000;
const MOST_RULE_BYTES = 1024 * 1024;

/** Programs mark what they can make again. */
const isCache = (path: string): boolean => ["CACHEDIR.TAG", "pyvenv.cfg"].some((name) => existsSync(join(path, name)));
