import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFileUndo } from "../adapters/undo/file-undo.ts";
import { gitWorktrees } from "../adapters/worktrees/git-worktrees.ts";
import { tempDir } from "../testing/memory/temp-dir.ts";
import { applyMerge, planMerge } from "./merge-back.ts";

async function project() {
  const dir = await tempDir();
  const top = join(realpathSync(dir.path), "project");
  mkdirSync(top);
  const git = (...args: string[]): unknown =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: top });
  git("init", "-q");
  const put = (root: string, path: string, text: string): void => {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  put(top, "a.txt", "1\n2\n3\n4\n5\n");
  put(top, "b.txt", "b\n");
  put(top, "gone.txt", "gone\n");
  git("add", ".");
  git("commit", "-qm", "first");
  const copy = async (name: string) => {
    const order = { source: top, place: join(dir.path, "copies", name), branch: `sous/${name}` };
    const made = await gitWorktrees.make(order, new AbortController().signal);
    if (!made.ok) throw new Error(made.problem);
    return { worktrees: gitWorktrees, worktree: made.worktree, target: top };
  };
  const undo = createFileUndo(join(dir.path, "undo"));
  return {
    top,
    put,
    copy,
    undo,
    read: (path: string) => readFileSync(join(top, path), "utf8"),
    dir,
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}
const steps = (plan: Awaited<ReturnType<typeof planMerge>>) => plan.map(({ path, is }) => `${path} ${is}`);

test("D4: changed, new, executable, linked and deleted files come back, and what was replaced is kept", async () => {
  await using p = await project();
  const parts = await p.copy("S1");
  const { root } = parts.worktree;
  p.put(root, "a.txt", "1\nTWO\n3\n4\n5\n");
  p.put(root, "deep/new.sh", "#!/bin/sh\n");
  chmodSync(join(root, "deep/new.sh"), 0o755);
  symlinkSync("a.txt", join(root, "link"));
  rmSync(join(root, "gone.txt"));
  const plan = await planMerge(parts);
  expect(steps(plan)).toEqual(["a.txt replace", "deep/new.sh replace", "gone.txt replace", "link replace"]);
  const { files, failed } = await applyMerge(plan, p.top, p.undo);
  expect(failed).toEqual([]);
  expect(p.read("a.txt")).toBe("1\nTWO\n3\n4\n5\n");
  expect(statSync(join(p.top, "deep/new.sh")).mode & 0o111).not.toBe(0);
  expect(p.read("link")).toBe(p.read("a.txt"));
  expect(existsSync(join(p.top, "gone.txt"))).toBe(false);
  const gone = files.find(({ path }) => path.endsWith("gone.txt"));
  expect(gone).toMatchObject({ change: "deleted", after: null });
  expect((await p.undo.content(gone!.before!))?.toString()).toBe("gone\n");
  expect(steps(await planMerge(parts))).toEqual([
    "a.txt nothing",
    "deep/new.sh nothing",
    "gone.txt nothing",
    "link nothing",
  ]);
});

test("D4: a sibling's change of other lines is joined, of the same lines is a conflict, and nothing is lost", async () => {
  await using p = await project();
  const [first, second, third] = [await p.copy("S1"), await p.copy("S2"), await p.copy("S3")];
  p.put(first.worktree.root, "a.txt", "ONE\n2\n3\n4\n5\n");
  p.put(second.worktree.root, "a.txt", "1\n2\n3\n4\nFIVE\n");
  p.put(third.worktree.root, "a.txt", "uno\n2\n3\n4\n5\n");
  await applyMerge(await planMerge(first), p.top, p.undo);
  const joined = await planMerge(second);
  expect(steps(joined)).toEqual(["a.txt join"]);
  await applyMerge(joined, p.top, p.undo);
  expect(p.read("a.txt")).toBe("ONE\n2\n3\n4\nFIVE\n");
  const conflict = await planMerge(third);
  expect(conflict).toMatchObject([{ is: "conflict", because: "the same lines were changed here and there" }]);
  expect(await applyMerge(conflict, p.top, p.undo)).toEqual({ files: [], failed: [] });
  expect(p.read("a.txt")).toBe("ONE\n2\n3\n4\nFIVE\n");
  expect(readFileSync(join(third.worktree.root, "a.txt"), "utf8")).toBe("uno\n2\n3\n4\n5\n");
});

test("P.F02, P.F04: nothing is written through a folder that was made a link out of the project", async () => {
  await using p = await project();
  const parts = await p.copy("S1");
  p.put(parts.worktree.root, "sub/x.txt", "x");
  const outside = join(p.dir.path, "outside");
  mkdirSync(outside);
  symlinkSync(outside, join(p.top, "sub"));
  expect(await planMerge(parts)).toMatchObject([{ is: "conflict", because: "its folder leads out of the project" }]);
  expect(existsSync(join(outside, "x.txt"))).toBe(false);
});

test("a file that somebody changes between the plan and the writing is left and named", async () => {
  await using p = await project();
  const parts = await p.copy("S1");
  p.put(parts.worktree.root, "a.txt", "agent\n");
  rmSync(join(parts.worktree.root, "gone.txt"));
  const plan = await planMerge(parts);
  p.put(p.top, "a.txt", "person\n");
  p.put(p.top, "gone.txt", "person\n");
  const { files, failed } = await applyMerge(plan, p.top, p.undo);
  expect(files).toEqual([]);
  expect(failed).toHaveLength(2);
  expect([p.read("a.txt"), p.read("gone.txt")]).toEqual(["person\n", "person\n"]);
});

test("D4: a link in a folder of its own comes back, and a file that cannot be written does not hold up the others", async () => {
  await using p = await project();
  const parts = await p.copy("S1");
  const { root } = parts.worktree;
  mkdirSync(join(root, "links"));
  symlinkSync("../a.txt", join(root, "links/first"));
  mkdirSync(join(root, "taken"));
  symlinkSync("../b.txt", join(root, "taken/second"));
  p.put(root, "z.txt", "z\n");
  const plan = await planMerge(parts);
  p.put(p.top, "taken", "a file where the folder would be\n");
  const { failed } = await applyMerge(plan, p.top, p.undo);
  expect(failed).toEqual([expect.stringContaining("taken/second")]);
  expect(p.read("links/first")).toBe(p.read("a.txt"));
  expect(p.read("z.txt")).toBe("z\n");
});

test("D4: a link of the project that an agent replaced is kept as where it leads, and one that changed meanwhile is left", async () => {
  await using p = await project();
  symlinkSync("a.txt", join(p.top, "lk"));
  const parts = await p.copy("S1");
  const { root } = parts.worktree;
  rmSync(join(root, "lk"));
  p.put(root, "lk", "real\n");
  const plan = await planMerge(parts);
  rmSync(join(p.top, "lk"));
  symlinkSync("elsewhere", join(p.top, "lk"));
  expect(await applyMerge(plan, p.top, p.undo)).toEqual({ files: [], failed: ["lk was changed meanwhile"] });
  rmSync(join(p.top, "lk"));
  symlinkSync("a.txt", join(p.top, "lk"));
  const { files } = await applyMerge(await planMerge(parts), p.top, p.undo);
  expect(files).toMatchObject([{ before: "link a.txt", change: "changed" }]);
});
