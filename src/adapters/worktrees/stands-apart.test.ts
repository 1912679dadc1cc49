import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Worktree } from "../../ports/worktrees.ts";
import { seededRandom } from "../../testing/memory/seeded-random.ts";
import { tempDir } from "../../testing/memory/temp-dir.ts";
import { findRepositoryBelow } from "./find-repositories.ts";
import { gitWorktrees } from "./git-worktrees.ts";

const never = new AbortController().signal;
const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
const sh = (cwd: string, command: string): unknown => execFileSync("bash", ["-c", command], { cwd, stdio: "ignore" });

async function copyOf(ignore: string) {
  const dir = await tempDir();
  const top = dir.join("project");
  mkdirSync(top);
  git(top, "init", "-q");
  writeFileSync(join(top, "a.txt"), "a\n");
  writeFileSync(join(top, ".gitignore"), ignore);
  git(top, "add", "-f", ".");
  git(top, "commit", "-qm", "first");
  const made = await gitWorktrees.make({ source: top, place: dir.join("copy"), branch: "sous/S1" }, never);
  if (!made.ok) throw new Error(made.problem);
  const copy: Worktree = made.worktree;
  const apart = async () => (await gitWorktrees.changes(copy, never)).filter((one) => one.apart !== undefined);
  return { top, copy, apart, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

describe("D3: a repository inside a copy stands apart, whatever ignores it", () => {
  test.each([
    ["a rule that takes folders out again", "*\n!*/\n!*.txt\n", "inner", "git init -q inner; echo w > inner/w.txt"],
    [
      "a rule that takes it out",
      "build/*\n!build/keep/\n",
      "build/keep",
      "git init -q build/keep; echo w > build/keep/w",
    ],
    [
      "a folder that the project ignores",
      "ignored/\n",
      "ignored/a/r",
      "git init -q ignored/a/r; echo w > ignored/a/r/w",
    ],
    ["a bare one in it", "ignored/\n", "ignored/o.git", "git init -q --bare ignored/o.git"],
    ["a folder marked as a cache", "ignored/\n", "ignored/r", "git init -q ignored/r; touch ignored/CACHEDIR.TAG"],
  ])("%s", async (_, ignore, path, made) => {
    await using p = await copyOf(ignore);
    sh(p.copy.root, made);
    expect(await p.apart()).toMatchObject([
      { path: `${path}/`, apart: expect.stringContaining("repository of its own") },
    ]);
  });

  test("and what the project ignores by the name of its parent's files is no work", async () => {
    await using p = await copyOf("build/*\n!build/keep\n");
    sh(p.copy.root, "mkdir -p build/o; echo w > build/o/x.o; echo w > build/y.o");
    expect(await gitWorktrees.changes(p.copy, never)).toEqual([]);
  });

  test("a folder that is too large to be searched is not said to hold none", async () => {
    await using dir = await tempDir();
    for (const n of [1, 2, 3, 4]) mkdirSync(dir.join(`f${n}`, "g"), { recursive: true });
    expect(await findRepositoryBelow(Buffer.from(dir.path), 5)).toEqual({ is: "too large" });
    expect(await findRepositoryBelow(Buffer.from(dir.path))).toEqual({ is: "none" });
  });

  const SEEDS = Number(process.env["SOAK"] ?? 1) * 6;
  test.each(Array.from({ length: SEEDS }, (_, at) => at + 1))(
    "nothing is lost under rules with exceptions, seed %i",
    async (seed) => {
      const random = seededRandom(seed).next;
      const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
      const [names, ends] = [
        ["a", "b", "keep", "out"],
        [".txt", ".o", ""],
      ];
      const pattern = (): string =>
        `${one(["", "", "!"])}${one(["", "/", "**/"])}${one(["*", ...names, "*.txt", "*.o"])}${one(["", "/", "/*", "/**"])}`;
      const rules = Array.from({ length: 1 + Math.floor(random() * 5) }, pattern);
      await using p = await copyOf(`${rules.join("\n")}\n`);
      const place = (): string => Array.from({ length: 1 + Math.floor(random() * 3) }, () => one(names)).join("/");
      const [repositories, files] = [new Set<string>(), new Set<string>()];
      for (let n = 0; n < 3; n++) {
        const path = `${place()}-r`;
        sh(p.copy.root, `git init -q ${path}; echo w > ${path}/w.txt`);
        repositories.add(path);
      }
      for (let n = 0; n < 6; n++) {
        const path = `${place()}/f${n}${one(ends)}`;
        mkdirSync(join(p.copy.root, dirname(path)), { recursive: true });
        writeFileSync(join(p.copy.root, path), "w");
        files.add(path);
      }
      const changes = await gitWorktrees.changes(p.copy, never);
      const holds = (path: string) =>
        changes.some((c) => c.path === path || (c.apart !== undefined && `${path}/`.startsWith(c.path)));
      // One of several in a folder that no tree holds is enough: the folder stays with all of it.
      for (const path of repositories)
        expect(
          holds(path) || changes.some((c) => c.apart !== undefined && c.path.split("/")[0] === path.split("/")[0]),
          `${path} under ${JSON.stringify(rules)}: ${JSON.stringify(changes)}`,
        ).toBe(true);
      const work = [...files].filter((path) => !isIgnored(p.copy.root, path));
      expect(
        work.filter((path) => !holds(path)),
        JSON.stringify(rules),
      ).toEqual([]);
    },
  );
});

/** As git itself says it in the copy. */
function isIgnored(cwd: string, path: string): boolean {
  try {
    git(cwd, "check-ignore", "-q", path);
    return true;
  } catch {
    return false;
  }
}

describe("D3: a name that is not UTF-8", () => {
  test("stands apart by its bytes, and a branch can hold it", async () => {
    await using p = await copyOf("*.o\n");
    sh(p.copy.root, "printf one > $'n\\xff'; printf two > $'n\\xfe'; printf x > $'m\\xff.o'; echo t > 'ä.txt'");
    const changes = await gitWorktrees.changes(p.copy, never);
    expect(changes.map(({ path, apart }) => [path, apart !== undefined])).toEqual([
      ["n\\376", true],
      ["n\\377", true],
      ["ä.txt", false],
    ]);
    const kept = await gitWorktrees.keep(p.copy, p.top, "m", never);
    expect(kept).toMatchObject({ ok: true });
    expect(git(p.top, "ls-tree", "--name-only", "sous/S1")).toContain(String.raw`"n\376"`);
  });

  test("of a repository without a commit keeps the rest from nothing", async () => {
    await using p = await copyOf("*.o\n");
    sh(p.copy.root, "git init -q $'r\\xff'; echo w > $'r\\xff/w'; echo n > n.txt");
    const changes = await gitWorktrees.changes(p.copy, never);
    expect(changes.map(({ path }) => path)).toEqual(["n.txt", "r\\377/"]);
  });
});
