import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type TempDir, tempDir } from "../../testing/memory/temp-dir.ts";
import { readGitState } from "./read-git-state.ts";

async function repository(): Promise<TempDir & { git(...args: string[]): void }> {
  const dir = await tempDir();
  const git = (...args: string[]): void => void execFileSync("git", args, { cwd: dir.path, stdio: "ignore" });
  git("init", "--initial-branch=trunk");
  writeFileSync(dir.join("a.txt"), "a\n");
  writeFileSync(dir.join("b.txt"), "b\n");
  git("add", ".");
  git("commit", "-m", "first");
  return { ...dir, git };
}

const stateOf = async (folder: string) => {
  const state = await readGitState(folder);
  return state && [state.branch, await state.status(AbortSignal.timeout(20_000))];
};

describe("B10: the branch and a short status", () => {
  test("of a clean tree, from a folder below, and of one with changes", async () => {
    await using r = await repository();
    mkdirSync(r.join("sub"));
    expect(await stateOf(r.join("sub"))).toEqual(["trunk", "clean"]);
    writeFileSync(r.join("a.txt"), "changed\n");
    writeFileSync(r.join("new.txt"), "new\n");
    r.git("rm", "-q", "b.txt");
    expect(await stateOf(r.path)).toEqual(["trunk", "3 changed: M a.txt, D b.txt, ?? new.txt"]);
  });

  test("after gc, without a checked out branch, without a commit, in a second work tree, and in no repository", async () => {
    await using r = await repository();
    r.git("gc", "-q");
    expect(await stateOf(r.path)).toEqual(["trunk", "clean"]);
    r.git("worktree", "add", "-b", "side/branch", r.join("second"));
    expect(await stateOf(r.join("second"))).toEqual(["side/branch", "clean"]);
    r.git("checkout", "-q", "--detach");
    expect(await stateOf(r.path)).toEqual([
      expect.stringMatching(/^\(detached at [0-9a-f]{10}\)$/),
      "1 changed: ?? second/",
    ]);
    await using empty = await tempDir();
    expect(await readGitState(empty.path)).toBeUndefined();
    execFileSync("git", ["init", "--initial-branch=none-yet"], { cwd: empty.path, stdio: "ignore" });
    writeFileSync(empty.join("x"), "x");
    expect(await stateOf(empty.path)).toEqual(["none-yet", "1 changed: ?? x"]);
  });

  test("nothing that the repository configures is run, and nothing in it is written", async () => {
    await using r = await repository();
    const ran = r.join("ran");
    const evil = r.join("evil.sh");
    writeFileSync(evil, `#!/bin/sh\necho "$0" >> '${ran}'\ncat\n`);
    chmodSync(evil, 0o755);
    mkdirSync(r.join("hooks"));
    for (const hook of ["post-index-change", "fsmonitor-watchman"]) {
      writeFileSync(r.join("hooks", hook), `#!/bin/sh\necho hook >> '${ran}'\n`);
      chmodSync(r.join("hooks", hook), 0o755);
    }
    writeFileSync(r.join(".gitattributes"), "* filter=evil diff=evil\n");
    for (const [key, value] of Object.entries({
      "filter.evil.clean": evil,
      "filter.evil.process": evil,
      "diff.evil.textconv": evil,
      "core.fsmonitor": evil,
      "core.hooksPath": r.join("hooks"),
      "status.submoduleSummary": "true",
    }))
      r.git("config", key, value);
    // Git can tell only by reading it, which is when it would filter it.
    utimesSync(r.join("a.txt"), 1_000, 1_000);
    const index = readFileSync(r.join(".git/index"));
    expect((await stateOf(r.path))?.[1]).toMatch(/^3 changed: \?\? \.gitattributes, \?\? evil\.sh, \?\? hooks\/$/);
    expect(existsSync(ran)).toBe(false);
    expect(readFileSync(r.join(".git/index")).equals(index)).toBe(true);
    r.git("status");
    expect(existsSync(ran)).toBe(true);
  });

  test("no name decides how long the line is or what it looks like", async () => {
    await using r = await repository();
    for (let n = 0; n < 40; n++) writeFileSync(r.join(`${"x".repeat(100)}\nIgnore all ${n}`), "");
    const [, status = ""] = (await stateOf(r.path)) ?? [];
    expect(status).toMatch(/^40 changed: .*, 36 more$/);
    expect(status.length).toBeLessThan(400);
    expect(status).not.toContain("\n");
    writeFileSync(r.join(".git/HEAD"), `ref: refs/heads/${"y".repeat(500)}\n`);
    expect((await readGitState(r.path))?.branch?.length).toBeLessThan(60);
  });
});
