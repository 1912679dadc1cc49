// What `.worktreeinclude` brings into a copy, whatever stands under the names it matches.
import { execFileSync } from "node:child_process";
import {
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
} from "node:fs";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join, relative } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { tempDir } from "../../testing/memory/temp-dir.ts";
import { seededRandom } from "../../testing/memory/seeded-random.ts";
import { gitWorktrees } from "./git-worktrees.ts";

const SECRET = "canary 7f3a";
const seeds = Array.from({ length: Number(process.env["SOAK"] ? 300 : 12) }, (_, n) => n + 1);

async function project() {
  const dir = await tempDir();
  const top = join(realpathSync(dir.path), "project");
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(top, path)), { recursive: true });
    writeFileSync(join(top, path), text);
  };
  mkdirSync(top);
  execFileSync("git", ["init", "-q"], { cwd: top });
  mkdirSync(dir.join("outside"));
  for (const name of ["outside/key", "outside/other"]) writeFileSync(dir.join(name), SECRET);
  const make = async () => {
    const order = { source: top, place: join(dirname(top), "copy"), branch: "b", mayRead };
    const made = await gitWorktrees.make(order, AbortSignal.timeout(30_000));
    if (!made.ok) throw new Error(made.problem);
    return { root: made.worktree.root, leftOut: made.leftOut, names: made.leftOut.map(({ path }) => path) };
  };
  const mayRead = (path: string): boolean => !relative(top, path).split("/").includes("secrets");
  return {
    dir,
    top,
    put,
    make,
    outside: join(dirname(top), "outside"),
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

test("P.F07: brings plain files and links that stay inside; the rest is left out and named with its reason", async () => {
  await using p = await project();
  p.put(".gitignore", "*\n!.gitignore\n");
  p.put(".worktreeinclude", "*\n");
  p.put("cache/data", "data");
  p.put("secrets/.env", SECRET);
  symlinkSync("data", join(p.top, "cache/near"));
  symlinkSync(join(p.top, "cache/data"), join(p.top, "cache/absolute"));
  symlinkSync(join(p.outside, "key"), join(p.top, "cache/key"));
  symlinkSync("../../outside", join(p.top, "cache/folder"));
  symlinkSync("../cache/folder/key", join(p.top, "cache/chain"));
  symlinkSync("../secrets/.env", join(p.top, "cache/denied"));
  symlinkSync("nowhere", join(p.top, "cache/dangling"));
  linkSync(join(p.outside, "key"), join(p.top, "cache/hard"));
  const { root, leftOut } = await p.make();
  expect(readdirSync(join(root, "cache")).toSorted()).toEqual(["data", "near"]);
  expect(readlinkSync(join(root, "cache/near"))).toBe("data");
  expect(Object.fromEntries(leftOut.map(({ path, reason }) => [path, reason]))).toMatchObject({
    "cache/absolute": "it is a link that leads out of the project",
    "cache/key": "it is a link that leads out of the project",
    "cache/folder": "it is a link that leads out of the project",
    "cache/chain": "it is a link that leads out of the project",
    "cache/denied": "agents may not read what it leads to",
    "cache/dangling": "it is a link that leads nowhere",
    "cache/hard": expect.stringContaining("hard link"),
    "secrets/.env": "agents may not read it",
  });
});

test.each([
  ["a pipe", (path: string) => void execFileSync("mkfifo", [path])],
  ["a folder", (path: string) => void mkdirSync(path)],
  ["an endless file", (path: string) => symlinkSync("/dev/zero", path)],
  ["a file outside", (path: string) => symlinkSync("../outside/key", path)],
])("P.F07: %s as .worktreeinclude is told, and the copy is made without it", async (_, make) => {
  await using p = await project();
  p.put("a", "a");
  make(join(p.top, ".worktreeinclude"));
  expect((await p.make()).names).toEqual([".worktreeinclude"]);
});

test.each(seeds)("P.F07: seed %i: a copy holds only plain files of the project that agents may read", async (seed) => {
  await using p = await project();
  const source = seededRandom(seed);
  const int = (most: number): number => Math.floor(source.next() * most);
  const pick = <T>(all: readonly T[]): T => all[int(all.length)]!;
  p.put(".gitignore", "*\n!.gitignore\n");
  p.put(".worktreeinclude", "*\n");
  const folders = ["", "a", "a/b", "c", "secrets"];
  for (const folder of folders) p.put(join(folder, "plain"), folder.includes("secrets") ? SECRET : `text of ${folder}`);
  const targets = () =>
    pick([
      ...folders.flatMap((folder) => [`${folder}/plain`, `${folder}/l${int(8)}`, folder]),
      ...["../outside", "../outside/key", "..", "../..", "/proc/self/root", "/etc/hostname", "/dev/zero"],
    ]);
  for (let n = 0; n < 24; n++) {
    const at = join(pick(folders), `l${int(12)}`);
    const target = targets();
    const full = target.startsWith("/") ? target : join(p.top, target);
    const makers: (() => void)[] = [
      () => symlinkSync(relative(dirname(join(p.top, at)), full) || ".", join(p.top, at)),
      () => symlinkSync(full, join(p.top, at)),
      () => linkSync(full, join(p.top, at)),
      () => void execFileSync("mkfifo", [join(p.top, at)], { stdio: "ignore" }),
    ];
    try {
      pick(makers)();
    } catch {
      // A name that is taken, or a hard link to what has none.
    }
  }
  const { root, names } = await p.make();
  const copied = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => !/^\.git(\/|$)/.test(path));
  /** Why a file of the copy should not be there as it is. */
  const wrong = (path: string): string[] => {
    const [here, there] = [lstatSync(join(root, path)), lstatSync(join(p.top, path))];
    if (here.isDirectory()) return [];
    if (names.includes(path)) return [`${path} is there and said to be left out`];
    if (there.isSymbolicLink() !== here.isSymbolicLink()) return [`${path} is of another kind`];
    if (here.isSymbolicLink()) {
      const leads = relative(root, join(root, dirname(path), readlinkSync(join(root, path))));
      return leads.startsWith("..") || leads.split("/").includes("secrets") ? [`${path} leads to ${leads}`] : [];
    }
    const text = readFileSync(join(root, path), "utf8");
    if (text.includes(SECRET) || text !== readFileSync(join(p.top, path), "utf8")) return [`${path} holds ${text}`];
    return there.nlink === 1 ? [] : [`${path} has other names`];
  };
  expect(copied.flatMap(wrong)).toEqual([]);
  // Nothing is left out that is a plain file of the project.
  expect(copied).toEqual(
    expect.arrayContaining(
      ["plain", "a/plain", "a/b/plain", "c/plain"].filter((path) => lstatSync(join(p.top, path)).nlink === 1),
    ),
  );
});

test("a socket under a name that is included is no file to be copied", async () => {
  await using p = await project();
  p.put(".gitignore", "*\n!.gitignore\n");
  p.put(".worktreeinclude", "*\n");
  const server = createServer().listen(join(p.top, "s"));
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  expect(readdirSync((await p.make()).root).toSorted()).toEqual([".git", ".gitignore", ".worktreeinclude"]);
});
