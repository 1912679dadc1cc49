import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { tempDir } from "../../testing/memory/temp-dir.ts";
import { createLocalWorkspace } from "./local-workspace.ts";

const never = new AbortController().signal;

test("lines are read from where they are wanted, and it is said when more follow", async () => {
  await using dir = await tempDir();
  writeFileSync(dir.join("a.txt"), "one\ntwo\r\nthree\nfour");
  const workspace = createLocalWorkspace(dir.path);
  expect(await workspace.readLines(dir.join("a.txt"), 2, 2, never)).toMatchObject({
    ok: true,
    lines: ["two", "three"],
    from: 2,
    more: true,
  });
  expect(await workspace.readLines(dir.join("a.txt"), 4, 9, never)).toMatchObject({ lines: ["four"], more: false });
  expect(await workspace.readLines(dir.join("a.txt"), 9, 9, never)).toMatchObject({ ok: true, lines: [] });
});

test("a path is judged where it really leads", async () => {
  await using dir = await tempDir();
  await using outside = await tempDir();
  mkdirSync(dir.join("sub"));
  symlinkSync(outside.path, dir.join("sub", "link"));
  symlinkSync(outside.join("not-yet"), dir.join("dangling"));
  const workspace = createLocalWorkspace(dir.path);
  expect(await workspace.resolve("sub/link/new.txt")).toBe(outside.join("new.txt"));
  expect(await workspace.resolve("dangling")).toBe(outside.join("not-yet"));
  expect(await workspace.resolve("sub/../x")).toBe(dir.join("x"));
  expect(await workspace.resolve("none/../x")).toBe(dir.join("x"));
});

test("P.F02: the folder above a link is the one above its target, as for the system", async () => {
  await using dir = await tempDir();
  await using outside = await tempDir();
  mkdirSync(dir.join("sub"));
  mkdirSync(outside.join("deep"));
  writeFileSync(outside.join("secret"), "x");
  writeFileSync(dir.join("file"), "x");
  symlinkSync(outside.join("deep"), dir.join("sub", "link"));
  symlinkSync("../not-yet", outside.join("deep", "dangling"));
  const workspace = createLocalWorkspace(dir.path);
  expect(await workspace.resolve("sub/link/../secret")).toBe(outside.join("secret"));
  expect(await workspace.resolve("sub/link/../new")).toBe(outside.join("new"));
  expect(await workspace.resolve("sub/link/dangling")).toBe(outside.join("not-yet"));
  expect(await workspace.resolve("file/../../../etc/passwd")).not.toContain(dir.path);
});

test("P.F01: ~ is no path, and is said to be none", async () => {
  await using dir = await tempDir();
  const workspace = createLocalWorkspace(dir.path);
  for (const path of ["~", "~/x", "~root/x"]) await expect(workspace.resolve(path)).rejects.toThrow("begins with ~");
  expect(await workspace.resolve("~lock")).toBe(dir.join("~lock"));
});

test("P.F05: what is not a readable text file is answered at once, whatever it is", async () => {
  await using dir = await tempDir();
  execFileSync("mkfifo", [dir.join("fifo")]);
  writeFileSync(dir.join("sparse"), "x");
  truncateSync(dir.join("sparse"), 2 ** 40);
  writeFileSync(dir.join("binary"), Buffer.from([1, 0, 2]));
  symlinkSync("loop", dir.join("loop"));
  const workspace = createLocalWorkspace(dir.path);
  const began = performance.now();
  const problem = async (path: string): Promise<unknown> => {
    const slice = await workspace.readLines(path, 1, 10, never);
    return slice.ok ? "read" : slice.problem;
  };
  expect(await problem(dir.join("fifo"))).toBe("is not a regular file");
  expect(await problem("/dev/zero")).toBe("is not a regular file");
  expect(await problem(dir.join("sparse"))).toBe("is not a text file");
  expect(await problem(dir.join("binary"))).toBe("is not a text file");
  expect(await problem(dir.join("loop"))).toBe("is a loop of links");
  expect(await problem(dir.path)).toBe("is a folder, not a file");
  expect(await problem(dir.join("none"))).toBe("does not exist");
  expect(performance.now() - began).toBeLessThan(2_000);
});
