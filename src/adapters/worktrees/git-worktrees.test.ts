import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../testing/memory/temp-dir.ts";
import type { Worktree } from "../../ports/worktrees.ts";
import { gitWorktrees } from "./git-worktrees.ts";

const never = new AbortController().signal;
const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main", ...args], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();

async function project() {
  const dir = await tempDir();
  const top = dir.join("project");
  mkdirSync(top);
  const put = (path: string, content: string | Buffer): void => {
    mkdirSync(join(top, path, ".."), { recursive: true });
    writeFileSync(join(top, path), content);
  };
  git(top, "init", "-q");
  put("a.txt", "one\ntwo\nthree\n");
  put("sub/b.txt", "b\n");
  put(".gitignore", "ignored/\n*.log\n");
  git(top, "add", ".");
  git(top, "commit", "-qm", "first");
  const make = async (place = "copy", source = top): Promise<Worktree> => {
    const made = await gitWorktrees.make({ source, place: dir.join(place), branch: "sous/ROOT-S1" }, never);
    if (!made.ok) throw new Error(made.problem);
    return made.worktree;
  };
  return { ...dir, dir, top, put, make, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

describe("D3: a copy of a project's current state", () => {
  test("has uncommitted, staged, untracked and deleted files as they are, and no ignored ones", async () => {
    await using p = await project();
    p.put("a.txt", "one\nTWO\nthree\n");
    p.put("staged.txt", "staged");
    git(p.top, "add", "staged.txt");
    p.put("staged.txt", "staged, then changed");
    p.put("new/untracked.txt", "untracked");
    p.put("ignored/x.txt", "x");
    p.put("y.log", "y");
    rmSync(join(p.top, "sub/b.txt"));
    symlinkSync("a.txt", join(p.top, "link"));
    p.put("run.sh", "#!/bin/sh\n");
    chmodSync(join(p.top, "run.sh"), 0o755);
    const { root } = await p.make();
    const read = (path: string): string => readFileSync(join(root, path), "utf8");
    expect(read("a.txt")).toBe("one\nTWO\nthree\n");
    expect(read("staged.txt")).toBe("staged, then changed");
    expect(read("new/untracked.txt")).toBe("untracked");
    expect(read("link")).toBe(read("a.txt"));
    expect(readdirSync(root).sort()).toEqual([".git", ".gitignore", "a.txt", "link", "new", "run.sh", "staged.txt"]);
    expect(git(root, "status", "--porcelain")).toBe("");
    expect(git(root, "rev-parse", "--abbrev-ref", "HEAD")).toBe("sous/ROOT-S1");
    expect(git(root, "log", "--format=%s")).toContain("first");
  });

  test("leaves the project's index, refs and configuration as they were, and shares no branch with it", async () => {
    await using p = await project();
    p.put("a.txt", "changed\n");
    const before = [
      git(p.top, "status", "--porcelain"),
      git(p.top, "for-each-ref"),
      readFileSync(join(p.top, ".git/index")),
    ];
    const { root } = await p.make();
    git(root, "commit", "-qam", "x", "--allow-empty");
    git(root, "branch", "other");
    git(root, "config", "user.name", "somebody");
    git(root, "stash", "list");
    const after = [
      git(p.top, "status", "--porcelain"),
      git(p.top, "for-each-ref"),
      readFileSync(join(p.top, ".git/index")),
    ];
    expect(after).toEqual(before);
  });

  test("P.B06: runs no hook, filter, monitor or include that the project names", async () => {
    await using p = await project();
    const canary = p.dir.join("canary");
    const evil = `sh -c 'touch ${canary}'`;
    for (const hook of ["post-checkout", "pre-commit", "post-index-change", "reference-transaction"]) {
      p.put(`.git/hooks/${hook}`, `#!/bin/sh\ntouch ${canary}\n`);
      chmodSync(join(p.top, ".git/hooks", hook), 0o755);
    }
    for (const [key, value] of [
      ["core.fsmonitor", evil],
      ["core.pager", evil],
      ["filter.evil.clean", evil],
      ["filter.evil.smudge", evil],
      ["filter.evil.process", evil],
      ["diff.evil.textconv", evil],
      ["diff.external", evil],
      ["core.sshCommand", evil],
    ] as const)
      git(p.top, "config", key, value);
    p.put(".gitattributes", "* filter=evil diff=evil text eol=crlf ident working-tree-encoding=UTF-16\n");
    p.put("c.txt", "line $Id$\r\n");
    const made = await p.make();
    writeFileSync(join(made.root, "c.txt"), "other\r\n");
    await gitWorktrees.changes(made, never);
    expect(existsSync(canary)).toBe(false);
    expect(readFileSync(join(made.root, "c.txt"), "utf8")).toBe("other\r\n");
    expect(readFileSync(join((await p.make("second")).root, "c.txt"), "utf8")).toBe("line $Id$\r\n");
  });

  test("brings ignored files that the project wants in copies", async () => {
    await using p = await project();
    p.put(".worktreeinclude", ".env\nignored/keep.txt\n");
    p.put(".gitignore", "ignored/\n*.log\n.env\n");
    p.put(".env", "KEY=1");
    p.put("ignored/keep.txt", "keep");
    p.put("ignored/not.txt", "not");
    const { root } = await p.make();
    expect(readFileSync(join(root, ".env"), "utf8")).toBe("KEY=1");
    expect(readdirSync(join(root, "ignored"))).toEqual(["keep.txt"]);
  });

  test.each(["no repository", "a repository without a commit", "a work tree of git's own"])(
    "works in %s",
    async (kind) => {
      await using p = await project();
      const source = p.dir.join("other");
      if (kind === "a work tree of git's own") git(p.top, "worktree", "add", "-q", source, "HEAD");
      else mkdirSync(source);
      if (kind === "a repository without a commit") git(source, "init", "-q");
      writeFileSync(join(source, "n.txt"), "n");
      const { root } = await p.make("copy", source);
      expect(readFileSync(join(root, "n.txt"), "utf8")).toBe("n");
    },
  );

  test("that cannot be made says why and leaves nothing behind", async () => {
    await using p = await project();
    writeFileSync(join(p.top, ".git/index"), "garbage");
    expect((await p.make("fine")).base).toMatch(/^[0-9a-f]{40}$/);
    const place = p.dir.join("broken");
    const gone = await gitWorktrees.make({ source: p.dir.join("nowhere"), place, branch: "x" }, never);
    expect(gone).toMatchObject({ ok: false });
    expect(existsSync(place)).toBe(false);
  });
});

describe("D4: what an agent changed in its copy", () => {
  test("is told whether it was committed or not, with lines counted and the old and new content kept", async () => {
    await using p = await project();
    p.put("same.txt", "dirty before the copy");
    const tree = await p.make();
    const at = (path: string): string => join(tree.root, path);
    writeFileSync(at("a.txt"), "one\n2\nthree\nfour\n");
    git(tree.root, "commit", "-qam", "work");
    rmSync(at("sub/b.txt"));
    writeFileSync(at('n\u00e9w "x".txt'), "n");
    writeFileSync(at("bytes.bin"), Buffer.from([0, 1, 2]));
    const changes = await gitWorktrees.changes(tree, never);
    expect(changes.map(({ path, added, removed }) => [path, added, removed])).toEqual([
      ["a.txt", 2, 1],
      ["bytes.bin", null, null],
      ['n\u00e9w "x".txt', 1, 0],
      ["sub/b.txt", 0, 1],
    ]);
    const [first] = changes;
    expect(Buffer.from(await gitWorktrees.read(tree, first!.before!)).toString()).toBe("one\ntwo\nthree\n");
    expect(Buffer.from(await gitWorktrees.read(tree, first!.after!)).toString()).toBe("one\n2\nthree\nfour\n");
    expect(gitWorktrees.idOf(tree, readFileSync(join(p.top, "a.txt")))).toBe(first!.before!.id);
    expect(changes.at(-1)).toMatchObject({ after: null, before: { kind: "file" } });
  });

  test("P.T06: is found without obeying what the agent made of its copy's configuration", async () => {
    await using p = await project();
    const tree = await p.make();
    const canary = p.dir.join("canary");
    const evil = `sh -c 'touch ${canary}; cat'`;
    for (const key of ["filter.evil.clean", "filter.evil.process", "core.fsmonitor", "diff.external"])
      git(tree.root, "config", key, evil);
    writeFileSync(join(tree.root, ".git/info/attributes"), "* filter=evil\n");
    writeFileSync(join(tree.root, ".gitattributes"), "* filter=evil\n");
    writeFileSync(join(tree.root, "a.txt"), "new\n");
    const changes = await gitWorktrees.changes(tree, never);
    expect(changes.map(({ path }) => path)).toEqual([".gitattributes", "a.txt"]);
    expect(existsSync(canary)).toBe(false);
    rmSync(join(tree.root, ".git"), { recursive: true });
    expect((await gitWorktrees.changes(tree, never)).map(({ path }) => path)).toEqual([".gitattributes", "a.txt"]);
  });

  test("joins texts line by line where that is possible", async () => {
    const merge = (ours: string, theirs: string) =>
      gitWorktrees.merge(Buffer.from(ours), Buffer.from("a\nb\nc\nd\ne\n"), Buffer.from(theirs));
    expect(Buffer.from((await merge("A\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\n"))!).toString()).toBe("A\nb\nc\nd\nE\n");
    expect(await merge("A\nb\nc\nd\ne\n", "X\nb\nc\nd\ne\n")).toBeUndefined();
    expect(await merge("\0binary", "a\nb\nc\nd\nE\n")).toBeUndefined();
  });
});
