// Whatever kind of file stands where one is expected: an answer at once, with a bound.
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { tempDir, type TempDir } from "../../testing/memory/temp-dir.ts";
import { type ReadLimits, readBounded, readBoundedSync, readSmallText } from "./read-bounded.ts";

const KB: ReadLimits = { most: 1024 };

/** Both forms, which must agree. */
async function both(path: string, limits: ReadLimits = KB) {
  const began = performance.now();
  const [one, other] = [readBoundedSync(path, limits), await readBounded(path, limits)];
  expect(performance.now() - began).toBeLessThan(1_000);
  expect(other).toEqual(one);
  return one;
}

async function socketAt(path: string): Promise<void> {
  const server = createServer().listen(path);
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
}

const kinds: readonly [string, string, (path: string, dir: TempDir) => void | Promise<void>][] = [
  ["a pipe", "not-a-file", (path) => void execFileSync("mkfifo", [path])],
  ["a socket", "not-a-file", (path) => socketAt(path)],
  ["a folder", "not-a-file", (path) => mkdirSync(path)],
  ["a link to /dev/zero", "not-a-file", (path) => symlinkSync("/dev/zero", path)],
  ["a link to a terminal", "not-a-file", (path) => symlinkSync("/dev/ptmx", path)],
  ["a loop of links", "link", (path) => symlinkSync(path, path)],
  ["a dangling link", "missing", (path) => symlinkSync(`${path}.gone`, path)],
  ["nothing", "missing", () => {}],
  ["a file below a file", "missing", (_, dir) => writeFileSync(dir.join("below"), "")],
  ["1 TB of nothing", "too-large", (path) => (writeFileSync(path, ""), truncateSync(path, 1024 ** 4))],
  ["a byte too many", "too-large", (path) => writeFileSync(path, "x".repeat(1025))],
  ["a file that says it is empty and is not", "too-large", (path) => symlinkSync("/proc/cpuinfo", path)],
];

describe("P.F07: what is no plain file of its size is refused at once", () => {
  test.each(kinds)("%s: %s", async (kind, code, make) => {
    await using dir = await tempDir();
    const path = dir.join(kind === "a file below a file" ? "below/it" : "it");
    await make(path, dir);
    expect(await both(path, kind.includes("says") ? { most: 64 } : KB)).toMatchObject({ ok: false, code });
  });
});

test("the first bytes of a longer file are read where that is asked for, also of one that does not end", async () => {
  await using dir = await tempDir();
  writeFileSync(dir.join("sparse"), "head");
  truncateSync(dir.join("sparse"), 1024 ** 4);
  const found = await both(dir.join("sparse"), { most: 4, cut: true });
  expect(found).toMatchObject({ ok: true, cut: true, bytes: Buffer.from("head") });
});

test("a file of exactly the limit, an empty one and one of /proc are read whole", async () => {
  await using dir = await tempDir();
  for (const size of [0, 1, 1023, 1024]) {
    writeFileSync(dir.join(`${size}`), "x".repeat(size));
    expect(await both(dir.join(`${size}`))).toMatchObject({ ok: true, cut: false, bytes: Buffer.alloc(size, "x") });
  }
  expect(await readSmallText("/proc/self/status", { most: 64 * 1024 })).toContain("Name:");
});

describe("P.F07: a folder that must not be left", () => {
  test.each([
    ["a link to a file outside", (dir: TempDir) => symlinkSync(dir.join("secret"), dir.join("in/it")), "outside"],
    ["a link in a folder above it", (dir: TempDir) => symlinkSync(dir.join("out"), dir.join("in/sub")), "outside"],
    ["a link that stays inside", (dir: TempDir) => symlinkSync("plain", dir.join("in/it")), "read"],
  ])("%s", async (_, make, is) => {
    await using dir = await tempDir();
    for (const name of ["in", "out", "in-evil"]) mkdirSync(dir.join(name));
    for (const name of ["secret", "out/it", "in/plain"]) writeFileSync(dir.join(name), name);
    make(dir);
    const path = is === "outside" && _.includes("folder") ? "in/sub/it" : "in/it";
    const found = await both(dir.join(path), { ...KB, within: dir.join("in") });
    expect(found.ok ? "read" : found.code).toBe(is);
    expect(await both(dir.join("in/plain"), { ...KB, within: dir.join("in"), noLink: true })).toMatchObject({
      ok: true,
    });
  });

  test("a link as the last part is refused where it is not to be followed", async () => {
    await using dir = await tempDir();
    writeFileSync(dir.join("plain"), "text");
    symlinkSync("plain", dir.join("link"));
    expect(await both(dir.join("link"), { ...KB, noLink: true })).toMatchObject({ ok: false, code: "link" });
  });
});
