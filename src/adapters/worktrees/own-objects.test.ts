import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Worktree } from "../../ports/worktrees.ts";
import { seededRandom } from "../../testing/memory/seeded-random.ts";
import { tempDir } from "../../testing/memory/temp-dir.ts";
import { gitWorktrees } from "./git-worktrees.ts";

const never = new AbortController().signal;
const RUNS = process.env["SOAK"] === "1" ? 1_000 : 15;
const BRANCH = "sous/ROOT-S1";

const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main", ...args], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();

async function copied() {
  const dir = await tempDir();
  const top = dir.join("project");
  mkdirSync(top);
  git(top, "init", "-q");
  for (const name of ["a", "b", "c"]) writeFileSync(join(top, name), `${name}\n`);
  git(top, "add", ".");
  git(top, "commit", "-qm", "first");
  writeFileSync(join(top, "a"), "not committed\n");
  const made = await gitWorktrees.make({ source: top, place: dir.join("copy"), branch: BRANCH }, never);
  if (!made.ok) throw new Error(made.problem);
  return { dir, top, copy: made.worktree, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

const objectsOf = (cwd: string): string[] =>
  git(cwd, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)").split("\n");

/** Everything that was made in the copy and is not in the project. */
function madeIn(copy: Worktree, top: string, atFirst: ReadonlySet<string>): string[] {
  const there = new Set(objectsOf(top));
  return objectsOf(copy.root).filter((id) => !atFirst.has(id) && !there.has(id));
}

const isClean = async (copy: Worktree): Promise<boolean> =>
  (await gitWorktrees.changes(copy, never)).length === 0 && (await gitWorktrees.hasNoCommits(copy));

const HIDING: Readonly<Record<string, (root: string) => void>> = {
  "what is only staged": (root) => {
    writeFileSync(join(root, "new"), "work");
    git(root, "add", "new");
    rmSync(join(root, "new"));
  },
  "a staged change of a file that was put back": (root) => {
    writeFileSync(join(root, "b"), "work");
    git(root, "add", "b");
    writeFileSync(join(root, "b"), "b\n");
  },
  "a commit on a head that was detached, and left again": (root) => {
    git(root, "checkout", "-q", "--detach");
    git(root, "commit", "-q", "--allow-empty", "-m", "work");
    git(root, "checkout", "-q", BRANCH);
  },
  "a branch that was left and packed": (root) => {
    git(root, "checkout", "-q", "-b", "other");
    git(root, "commit", "-q", "--allow-empty", "-m", "work");
    git(root, "checkout", "-q", BRANCH);
    git(root, "pack-refs", "--all");
  },
  "a stash": (root) => {
    writeFileSync(join(root, "b"), "work");
    git(root, "stash", "-q");
  },
  "a stash that was dropped": (root) => {
    writeFileSync(join(root, "b"), "work");
    git(root, "stash", "-q");
    git(root, "stash", "drop", "-q");
  },
  "a commit that was taken back": (root) => {
    writeFileSync(join(root, "b"), "work");
    git(root, "commit", "-qam", "work");
    git(root, "reset", "-q", "--hard", "HEAD~1");
  },
  "a commit in a pack, without reflogs": (root) => {
    writeFileSync(join(root, "b"), "work");
    git(root, "commit", "-qam", "work");
    git(root, "tag", "t");
    git(root, "reset", "-q", "--hard", "HEAD~1");
    git(root, "repack", "-adq");
    git(root, "tag", "-d", "t");
    rmSync(join(root, ".git/logs"), { recursive: true });
  },
  "a note beside git's own files": (root) => writeFileSync(join(root, ".git/notes.txt"), "work"),
};

test.each(Object.entries(HIDING))("P.Z02: %s keeps a copy whose files are as they were", async (_, hide) => {
  await using p = await copied();
  expect(await isClean(p.copy)).toBe(true);
  hide(p.copy.root);
  expect(git(p.copy.root, "diff", "HEAD", "--stat")).toBe("");
  expect(await isClean(p.copy)).toBe(false);
  const changes = await gitWorktrees.changes(p.copy, never);
  expect(changes).toMatchObject([{ path: ".git/", apart: expect.stringContaining("its repository ") }]);
});

test("P.Z02: looking into a copy, and commands that make nothing, leave it as clean as it was", async () => {
  await using p = await copied();
  const { root } = p.copy;
  for (const args of [["status"], ["diff"], ["add", "-A"], ["checkout", "-q", "."], ["reset", "-q"], ["log"], ["fsck"]])
    git(root, ...args);
  git(root, "update-index", "--refresh");
  expect(await isClean(p.copy)).toBe(true);
});

test("P.Z02: a repository that cannot be looked into is no proof that it is empty", async () => {
  await using p = await copied();
  rmSync(join(p.copy.root, ".git/objects"), { recursive: true });
  writeFileSync(join(p.copy.root, ".git/objects"), "");
  expect(await isClean(p.copy)).toBe(false);
});

/** One step of an agent; what git refuses in the state it is in does nothing. */
function step(root: string, pick: (most: number) => number, word: string): void {
  const file = join(root, ["a", "b", "c", "new", "dir/deep"][pick(5)] ?? "a");
  const tries: (() => unknown)[] = [
    () => (mkdirSync(join(file, ".."), { recursive: true }), writeFileSync(file, `${word}\n`)),
    () => rmSync(file, { force: true }),
    () => git(root, "add", "-A"),
    () => git(root, "reset", "-q"),
    () => git(root, "commit", "-q", "-am", word),
    () => git(root, "commit", "-q", "--amend", "-m", word),
    () => git(root, "checkout", "-q", "--detach"),
    () => git(root, "checkout", "-q", BRANCH),
    () => git(root, "checkout", "-q", "-b", `x${word}`),
    () => git(root, "checkout", "-q", "--orphan", `o${word}`),
    () => git(root, "stash", "-q", "-u"),
    () => git(root, "stash", "pop", "-q"),
    () => git(root, "stash", "drop", "-q"),
    () => git(root, "branch", "-q", "-D", git(root, "for-each-ref", "--format=%(refname:short)", "refs/heads/x*")),
    () => git(root, "repack", "-adq"),
    () => git(root, "gc", "-q"),
    () => git(root, "reset", "-q", "--hard", "HEAD~1"),
    () => git(root, "status"),
  ];
  try {
    tries[pick(tries.length)]?.();
  } catch {
    // Refused.
  }
}

/** As an agent leaves off that wants nobody to see it. */
function putBack(root: string, base: string): void {
  git(root, "clean", "-qfdx");
  git(root, "symbolic-ref", "HEAD", `refs/heads/${BRANCH}`);
  git(root, "reset", "-q", "--hard", base);
}

test(`P.Z02: ${RUNS} random ways to work with git: what stands only in a copy keeps it, and keeping it loses nothing`, async () => {
  let [kept, released] = [0, 0];
  for (let seed = 1; seed <= RUNS; seed++) {
    await using p = await copied();
    const { root, base } = p.copy;
    const atFirst = new Set(objectsOf(root));
    const random = seededRandom(seed);
    const pick = (most: number): number => Math.floor(random.next() * most);
    const steps = 1 + pick(8);
    for (let at = 0; at < steps; at++) step(root, pick, `${seed}-${at}`);
    if (pick(3) > 0) putBack(root, base);
    const made = madeIn(p.copy, p.top, atFirst);
    const clean = await isClean(p.copy);
    expect(clean ? made : [], `seed ${seed} is given up`).toEqual([]);
    if (clean) released++;
    if (clean) continue;
    const done = await gitWorktrees.keep(p.copy, p.top, "left", never);
    if (!done.ok) continue;
    kept++;
    const reached = new Set(git(p.top, "rev-list", "--objects", "--no-object-names", "--all").split("\n"));
    const lost = made.filter((id) => !reached.has(id));
    expect(lost, `seed ${seed} kept ${done.branch}`).toEqual([]);
  }
  expect(Math.min(kept, released)).toBeGreaterThan(0);
}, 600_000);
