// Git that nobody is asked about, with the real git: a repository in which every configuration key that names a program
// or a file does so, every attribute names a driver, and links and other repositories lead out.
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { addToGit, gitPart } from "../../core/shell/read-only-git.ts";
import { seededRandom } from "../../testing/memory/seeded-random.ts";
import { tempDir } from "../../testing/memory/temp-dir.ts";
import { gitWorktrees } from "../worktrees/git-worktrees.ts";
import { readGitState } from "../worktrees/read-git-state.ts";
import { inertGitDirs } from "./inert-git-dir.ts";
import { pinRepository } from "./pin-repository.ts";

const LINES = process.env["SOAK"] === "1" ? 20_000 : 250;

const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main", ...args], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    env: { PATH: process.env["PATH"], HOME: "/nonexistent", GIT_ALLOW_PROTOCOL: "file" },
  }).trim();

async function world() {
  const dir = await tempDir();
  const base = realpathSync(dir.path);
  const top = join(base, "project");
  mkdirSync(join(top, "sub"), { recursive: true });
  git(top, "init", "-q");
  const put = (path: string, text: string): void => {
    mkdirSync(join(top, path, ".."), { recursive: true });
    writeFileSync(join(top, path), text);
  };
  for (const name of ["a.txt", "b.txt", "sub/c.txt", "x y.txt", "main"]) put(name, `${name}\none\ntwo\n`);
  git(top, "add", ".");
  git(top, "commit", "-qm", "first");
  git(top, "tag", "v1");
  git(top, "branch", "dev");
  put("a.txt", "a.txt\none\nchanged\n");
  git(top, "commit", "-qam", "second");
  put("b.txt", "b.txt\nstaged\n");
  git(top, "add", "b.txt");
  put("sub/c.txt", "c\nchanged\n");
  put("new.txt", "new\n");
  return { dir, base, top, put, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

function fails(cwd: string, ...args: string[]): void {
  expect(() => git(cwd, ...args)).toThrow("Command failed");
}

/** What git itself says. */
function plainly(cwd: string, words: readonly string[], home = "/nonexistent"): string {
  const env = { PATH: process.env["PATH"], HOME: home, GIT_OPTIONAL_LOCKS: "0", GIT_CONFIG_NOSYSTEM: "1" };
  const { stdout, stderr } = spawnSync("git", [...words], { cwd, encoding: "utf8", env });
  return `${stdout}${stderr}`;
}

async function inert(top: string, cwd = top) {
  const pinned = await pinRepository(cwd, [top]);
  const person = { home: join(top, "..", "home") };
  const made = pinned && (await inertGitDirs(pinned, join(top, "..", "ours"), person).make());
  /** As the judge lets it run; undefined where it asks. */
  const run = (words: readonly string[]): { readonly out: string; readonly code: number | null } | undefined => {
    const added = addToGit(["git", ...words]);
    if (!made || !added) return undefined;
    const all = ["git", ...words];
    const argv = [...all.slice(1, added.at), ...added.words, ...all.slice(added.at)];
    // Its command does not see the person's home.
    const env = { PATH: process.env["PATH"], HOME: join(top, "..", "nobody"), ...made.env };
    const ran = spawnSync("git", argv, { cwd, env, encoding: "utf8", timeout: 20_000 });
    return { out: `${ran.stdout}${ran.stderr}`, code: ran.status };
  };
  return { pinned, made, run };
}

const EVERYDAY: readonly (readonly string[])[] = [
  ["status"],
  ["status", "-sb"],
  ["status", "--porcelain=v2", "-uall"],
  ["log", "-3"],
  ["log", "--oneline", "--graph", "--all", "--decorate"],
  ["log", "-p", "--stat", "main"],
  ["log", "--format=%H %an %s%n%b", "--", "a.txt"],
  ["log", "-S", "changed", "--follow", "--", "a.txt"],
  ["show"],
  ["show", "HEAD~1:a.txt"],
  ["show", "--stat", "v1"],
  ["diff"],
  ["diff", "--cached", "--word-diff"],
  ["diff", "v1..dev", "--name-status"],
  ["diff", "HEAD", "--", "sub/c.txt"],
  ["diff", "a.txt"],
  ["branch", "-avv"],
  ["rev-parse", "--show-toplevel"],
  ["rev-parse", "--abbrev-ref", "HEAD"],
  ["ls-files", "-s"],
  ["ls-files", "-mo", "--exclude-standard"],
  ["blame", "-w", "-L", "1,2", "a.txt"],
  ["describe", "--tags", "--always"],
  ["remote", "-v"],
  ["tag", "-l"],
];

describe("P.B06, P.B11: git that nobody is asked about", () => {
  test("says what git says in an everyday repository, and writes nothing in it", async () => {
    await using w = await world();
    git(w.top, "remote", "add", "origin", "https://example.com/a.git");
    const before = readFileSync(join(w.top, ".git/index"));
    const { run } = await inert(w.top);
    for (const words of EVERYDAY) {
      const plain = spawnSync("git", [...words], {
        cwd: w.top,
        encoding: "utf8",
        env: { PATH: process.env["PATH"], GIT_OPTIONAL_LOCKS: "0" },
      });
      expect(run(words)?.out, words.join(" ")).toBe(`${plain.stdout}${plain.stderr}`);
    }
    expect(readFileSync(join(w.top, ".git/index")).equals(before)).toBe(true);
  });

  test("works in a folder below, after gc, in a linked work tree, with a split index, without a commit", async () => {
    await using w = await world();
    const says = async (top: string, cwd: string) => (await inert(top, cwd)).run(["status", "-s"])?.out;
    const expected = "M  ../b.txt\n M c.txt\n?? ../new.txt\n";
    expect(await says(w.top, join(w.top, "sub"))).toBe(expected);
    git(w.top, "gc", "-q");
    git(w.top, "update-index", "--split-index");
    expect(await says(w.top, join(w.top, "sub"))).toBe(expected);
    git(w.top, "worktree", "add", "-q", join(w.base, "linked"), "dev");
    writeFileSync(join(w.base, "linked/a.txt"), "x");
    expect(await says(join(w.base, "linked"), join(w.base, "linked"))).toBe(" M a.txt\n");
    mkdirSync(join(w.base, "empty"));
    git(join(w.base, "empty"), "init", "-q");
    expect(await says(join(w.base, "empty"), join(w.base, "empty"))).toBe("");
  });

  test.each<[string, (w: Awaited<ReturnType<typeof world>>) => void, RegExp]>([
    ["a rebase that stopped", (w) => fails(w.top, "rebase", "conflict"), /rebase in progress; onto/],
    [
      "an interactive rebase",
      (w) => fails(w.top, "-c", "sequence.editor=true", "rebase", "-i", "-x", "false", "HEAD~1"),
      /interactive rebase in progress/,
    ],
    [
      "patches that do not apply",
      (w) => {
        writeFileSync(join(w.base, "patch"), git(w.top, "format-patch", "--stdout", "-1", "conflict") + "\n");
        fails(w.top, "am", join(w.base, "patch"));
      },
      /middle of an am session/,
    ],
    [
      "a bisection",
      (w) => {
        git(w.top, "bisect", "start");
        git(w.top, "bisect", "bad");
      },
      /currently bisecting, started from branch 'main'/,
    ],
    [
      "a cherry-pick",
      (w) => fails(w.top, "cherry-pick", "conflict~1", "conflict"),
      /Cherry-pick currently in progress|currently cherry-picking/,
    ],
  ])("says of %s what git says", async (_, begin, told) => {
    await using w = await world();
    git(w.top, "stash", "-q");
    rmSync(join(w.top, "new.txt"));
    git(w.top, "checkout", "-q", "-b", "conflict", "v1");
    for (const text of ["other\n", "another\n"]) {
      w.put("a.txt", text);
      git(w.top, "commit", "-qam", text.trim());
    }
    git(w.top, "checkout", "-q", "main");
    begin(w);
    const said = (await inert(w.top)).run(["status"])?.out;
    expect(said).toMatch(told);
    expect(said).toBe(plainly(w.top, ["status"]));
    // Only files of its own, however they came there.
    const secret = join(w.base, "secret");
    writeFileSync(secret, "held-outside\n");
    for (const folder of ["rebase-merge", "rebase-apply"])
      for (const name of ["head-name", "onto", "done", "git-rebase-todo"]) {
        mkdirSync(join(w.top, ".git", folder), { recursive: true });
        rmSync(join(w.top, ".git", folder, name), { force: true });
        symlinkSync(secret, join(w.top, ".git", folder, name));
      }
    rmSync(join(w.top, ".git/rebase-merge/done"));
    execFileSync("mkfifo", [join(w.top, ".git/rebase-merge/done")]);
    expect((await inert(w.top)).run(["status"])?.out).not.toContain("held-outside");
  });

  test("knows what was fetched, a sparse work tree, and hooks that stand elsewhere", async () => {
    await using w = await world();
    const upstream = join(w.base, "upstream");
    git(w.base, "clone", "-q", w.top, upstream);
    git(w.top, "fetch", "-q", upstream, "v1", "main");
    rmSync(join(w.top, ".git/hooks"), { recursive: true, force: true });
    symlinkSync(w.base, join(w.top, ".git/hooks"));
    git(w.top, "stash", "-q");
    for (const flag of ["--no-sparse-index", "--sparse-index"]) {
      git(w.top, "sparse-checkout", "init", "--cone", flag);
      const { run } = await inert(w.top);
      expect(run(["log", "-1", "FETCH_HEAD"])?.out).toContain("first");
      const said = run(["status"])?.out;
      expect(said).toContain("sparse checkout");
      expect(said).toBe(plainly(w.top, ["status"]));
    }
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ["in its usual place", { ".config/git/ignore": "*.log\n!keep.log" }],
    [
      "named by their configuration",
      { ".gitconfig": "[core]\n\teditor = x\n\texcludesFile = ~/mine # own\n", mine: "*.log\n!keep.log" },
    ],
    [
      "in quotes",
      { ".config/git/config": '[user]\n\tname = a\n[Core]\n\texcludesfile = "~/mine"\n', mine: "*.log\n!keep.log" },
    ],
  ])("leaves out what the person ignores everywhere, with the list %s", async (_, files) => {
    await using w = await world();
    for (const [path, text] of Object.entries(files)) w.put(`../home/${path}`, text);
    for (const path of ["x.log", "keep.log", "out.log"]) w.put(path, "");
    // The repository's own list counts more.
    w.put(".git/info/exclude", "!out.log\n");
    const words = ["status", "-s", "--ignored"];
    const said = (await inert(w.top)).run(words)?.out;
    expect(said).toBe(plainly(w.top, words, join(w.base, "home")));
    expect(said).toMatch(/^!! x\.log$/m);
    expect(said).toMatch(/^\?\? keep\.log$/m);
  });

  test("takes no list of ignored files from outside the person's home", async () => {
    await using w = await world();
    w.put("../home/.gitconfig", "[core]\n\texcludesFile = ../elsewhere\n");
    w.put("../elsewhere", "new.txt\n");
    expect((await inert(w.top)).run(["status", "-s"])?.out).toContain("?? new.txt");
  });

  test("starts nothing that the repository names, by any key, driver, hook, or submodule", async () => {
    await using w = await world();
    const { log, plant } = traps(w.base);
    plantEverything(w, plant);
    const { run } = await inert(w.top);
    for (const words of EVERYDAY) expect(run(words), words.join(" ")).toBeDefined();
    expect(existsSync(log) ? readFileSync(log, "utf8") : "").toBe("");
    // The same repository does start them for git as it is.
    for (const words of EVERYDAY) spawnSync("git", [...words], { cwd: w.top });
    const started = new Set(readFileSync(log, "utf8").split("\n"));
    expect(started).toContain("key");
    expect(started).toContain("included");
  });

  test("tells what is recorded of submodules, in history and index, and starts nothing of theirs", async () => {
    await using w = await world();
    const { log, plant } = traps(w.base);
    const inner = plantEverything(w, plant);
    const bump = (): void => {
      writeFileSync(join(inner, "f"), `${Math.random()}`);
      git(inner, "commit", "-qam", "more");
      git(w.top, "update-index", "--cacheinfo", `160000,${git(inner, "rev-parse", "HEAD")},module`);
    };
    // With what the repository names switched off for as long as it is made.
    const config = readFileSync(join(w.top, ".git/config"));
    const quietly = (act: () => void): void => {
      writeFileSync(join(w.top, ".git/config"), "[core]\n\thooksPath = /dev/null\n");
      act();
      writeFileSync(join(w.top, ".git/config"), config);
    };
    quietly(() => {
      git(w.top, "commit", "-qm", "with a module");
      bump();
      git(w.top, "commit", "-qm", "bumped");
      bump();
    });
    rmSync(log, { force: true });
    const { run } = await inert(w.top);
    for (const words of [
      ...[["show", "HEAD", "--stat"], ["show"], ["log", "-1", "--name-only"], ["log", "-p", "-1"]],
      ...[
        ["diff", "--cached"],
        ["diff", "--staged", "--stat"],
        ["diff", "HEAD~1..HEAD"],
        ["diff", "HEAD~1", "HEAD"],
      ],
      ...[["diff", "HEAD~1...", "--name-only"], ["status", "-s"], ["status"], ["status", "--porcelain=v2"]],
    ])
      expect(run(words)?.out, words.join(" ")).toMatch(/\bmodule\b/);
    // Files are compared with the index, and no id of the other repository is shown.
    expect(run(["diff"])?.out).not.toContain("Subproject");
    expect(run(["diff", "HEAD", "--", "module"])?.out).toBe("");
    expect(existsSync(log) ? readFileSync(log, "utf8") : "").toBe("");
    spawnSync("git", ["status"], { cwd: w.top });
    expect(existsSync(log)).toBe(true);
  });

  test.each<[string, (w: Awaited<ReturnType<typeof world>>, other: string) => void]>([
    [
      "a .git file that names another repository",
      (w, other) => {
        rmSync(join(w.top, ".git"), { recursive: true });
        w.put(".git", `gitdir: ${other}/.git\n`);
      },
    ],
    [
      "a link in place of .git",
      (w, other) => {
        rmSync(join(w.top, ".git"), { recursive: true });
        symlinkSync(`${other}/.git`, join(w.top, ".git"));
      },
    ],
    ["a common folder elsewhere", (w, other) => w.put(".git/commondir", `${other}/.git\n`)],
    [
      "a work tree's folder of its own making",
      (w, other) => {
        rmSync(join(w.top, ".git"), { recursive: true });
        w.put("fake/worktrees/x/HEAD", "ref: refs/heads/main\n");
        w.put("fake/worktrees/x/commondir", `${other}/.git\n`);
        w.put("fake/worktrees/x/gitdir", `${w.top}/.git\n`);
        w.put(".git", "gitdir: fake/worktrees/x\n");
      },
    ],
    ["objects of another repository", (w, other) => w.put(".git/objects/info/alternates", `${other}/.git/objects\n`)],
    [
      "a linked folder of objects",
      (w, other) => {
        rmSync(join(w.top, ".git/objects"), { recursive: true });
        symlinkSync(`${other}/.git/objects`, join(w.top, ".git/objects"));
      },
    ],
    ["a linked list of refs", (w, other) => symlinkSync(join(other, "secret"), join(w.top, ".git/packed-refs"))],
    ["a linked shallow file", (w, other) => symlinkSync(join(other, "secret"), join(w.top, ".git/shallow"))],
  ])("asks where %s leads to what is not the workspace's", async (_, lead) => {
    await using w = await world();
    const other = join(w.base, "other");
    mkdirSync(other);
    git(other, "init", "-q");
    writeFileSync(join(other, "secret"), "canary\n");
    git(other, "add", ".");
    git(other, "commit", "-qm", "canary");
    expect((await inert(w.top)).run(["log", "-p", "--all"])?.out).toContain("first");
    lead(w, other);
    expect((await inert(w.top)).pinned).toBeUndefined();
  });

  test("obeys no git folder that an agent makes meanwhile, in the workspace or below it", async () => {
    await using w = await world();
    const { log, plant } = traps(w.base);
    const bare = (at: string): void => {
      w.put(`${at}/HEAD`, "ref: refs/heads/main\n");
      w.put(`${at}/config`, `[core]\n\tfsmonitor = ${plant("made")}\n\tworktree = ..\n`);
      for (const name of ["objects", "refs"]) mkdirSync(join(w.top, at, name), { recursive: true });
    };
    for (const cwd of [w.top, join(w.top, "sub")]) {
      const { run } = await inert(w.top, cwd);
      for (const at of [".", "sub", "sub/x"]) bare(at);
      w.put("sub/.git", "gitdir: x\n");
      expect(run(["status", "-s"])?.out).toContain(" M ");
      rmSync(join(w.top, "sub/.git"));
    }
    expect(existsSync(log)).toBe(false);
    // Where there was none at first there is none later.
    mkdirSync(join(w.base, "plain"));
    const { pinned } = await inert(join(w.base, "plain"));
    expect(pinned).toBeUndefined();
  });

  test(`${LINES} command lines of the grammar show nothing from outside, and start nothing`, async () => {
    await using w = await world();
    const { log, plant } = traps(w.base);
    plantEverything(w, plant);
    writeFileSync(join(w.base, "canary.txt"), "held-outside\n");
    writeFileSync(join(w.base, "other.txt"), "held-outside too\n");
    mkdirSync(join(w.top, "a:b"));
    symlinkSync(w.base, join(w.top, "out"));
    const { run } = await inert(w.top);
    const random = seededRandom(20_261_117);
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random.next() * all.length)]!;
    let ran = 0;
    for (let n = 0; n < LINES; n++) {
      const words = [pick(VERBS), ...Array.from({ length: Math.floor(random.next() * 5) }, () => pick(WORDS))];
      const read = gitPart(words);
      // Where a path leads out, the judge asks: that is its own test.
      if (!read || read.paths.some((path) => leadsOut(w.top, path))) continue;
      const said = run(words);
      if (said) ran++;
      expect(said?.out ?? "", words.join(" ")).not.toContain("held-outside");
      expect(existsSync(log), words.join(" ")).toBe(false);
    }
    expect(ran).toBeGreaterThan(LINES / 10);
    expect(existsSync(log) ? readFileSync(log, "utf8") : "").toBe("");
    expect(existsSync(join(w.top, "written"))).toBe(false);
  }, 600_000);
});

test("P.B06: git that Sous starts for itself starts nothing that the repository, its submodule or a copy names", async () => {
  await using w = await world();
  const { log, plant } = traps(w.base);
  plantEverything(w, plant);
  const started = (): string => (existsSync(log) ? readFileSync(log, "utf8") : "");
  const never = new AbortController().signal;
  const state = await readGitState(w.top);
  expect(await state?.status(never)).toContain("changed");
  const made = await gitWorktrees.make({ source: w.top, place: join(w.base, "copy"), branch: "sous/x" }, never);
  if (!made.ok) throw new Error(made.problem);
  const { worktree: copy } = made;
  expect(started()).toBe("");
  // As its agent leaves it: with the same configuration, and a repository of its own inside.
  writeFileSync(join(copy.root, ".git/config"), readFileSync(join(w.top, ".git/config")));
  writeFileSync(join(copy.root, ".gitmodules"), readFileSync(join(w.top, ".gitmodules")));
  rmSync(join(copy.root, "module"), { recursive: true, force: true });
  cpSync(join(w.top, ".git/modules/module"), join(copy.root, "module/.git"), { recursive: true });
  writeFileSync(join(copy.root, "a.txt"), "work\n");
  await gitWorktrees.changes(copy, never);
  await gitWorktrees.diff(copy, [], never);
  await gitWorktrees.hasNoCommits(copy);
  rmSync(join(copy.root, "module"), { recursive: true });
  const kept = await gitWorktrees.keep(copy, w.top, "left", never);
  expect(kept).toMatchObject({ ok: true });
  expect(started()).toBe("");
});

/** As the workspace resolves it: links followed, whether the end is there or not. */
function leadsOut(top: string, path: string): boolean {
  let at = path.startsWith("/") ? "/" : top;
  for (const part of path.split("/").filter(Boolean)) {
    at = join(at, part);
    if (existsSync(at)) at = realpathSync(at);
  }
  return at !== top && !at.startsWith(`${top}/`);
}

const VERBS = [
  "status",
  "log",
  "show",
  "diff",
  "branch",
  "rev-parse",
  "ls-files",
  "blame",
  "describe",
  "remote",
  "tag",
];
const WORDS = [
  ...[
    "-p",
    "-s",
    "-v",
    "-vv",
    "-u",
    "--stat",
    "--cached",
    "--name-only",
    "-S",
    "-G",
    "-n",
    "1",
    "-L",
    "-M",
    "-C",
    "-w",
  ],
  ...["--oneline", "--all", "--format=%H", "--format=%G?", "--pretty=%(describe)", "--output=written", "--ext-diff"],
  ...["--textconv", "--no-index", "-O", "-Oout/canary.txt", "--contents", "--ignore-revs-file", "-X", "--exclude-from"],
  ...[
    "--pathspec-from-file=out/canary.txt",
    "--show-signature",
    "--submodule=diff",
    "--recurse-submodules",
    "--follow",
  ],
  ...["HEAD", "main", "v1..dev", "HEAD~1", "@{-1}", "HEAD:a.txt", "a:b/.", ":/first", ":(top)a.txt", ":!a.txt", "--"],
  ...["a.txt", "sub", "sub/c.txt", "x y.txt", "out/canary.txt", "../canary.txt", "../other.txt", "/etc/passwd", "."],
  ...["../x:y/../canary.txt", "HEAD:../canary.txt", "-", "--git-dir", "--resolve-git-dir", "--dirty", "--show-stash"],
  ...["--ignore-submodules=none", "--end-of-options", "--porcelain", "--unified=1", "--diff-filter=M", "-z", "--color"],
];

/** Programs that note their name in a log, and stand for whatever git wants of them. */
function traps(base: string) {
  const log = join(base, "started.log");
  const plant = (name: string): string => {
    const path = join(base, `trap-${name.replace(/[^\w-]/g, "_")}`);
    writeFileSync(path, `#!/bin/sh\necho '${name}' >> '${log}'\ncat 2>/dev/null\n`);
    chmodSync(path, 0o755);
    return path;
  };
  return { log, plant };
}

/** Every key of this git's own list, and what is known besides; the repository of the submodule. */
function plantEverything(
  { top, base, put }: Awaited<ReturnType<typeof world>>,
  plant: (name: string) => string,
): string {
  const inner = join(base, "inner");
  mkdirSync(inner);
  git(inner, "init", "-q");
  writeFileSync(join(inner, "f"), "f");
  git(inner, "add", ".");
  git(inner, "commit", "-qm", "inner");
  git(top, "-c", "protocol.file.allow=always", "submodule", "add", "-q", inner, "module");
  put(".gitmodules", `[submodule "module"]\n\tpath = module\n\turl = ${inner}\n\tignore = none\n`);
  writeFileSync(join(top, "module/f"), "changed");
  const configs = [join(top, ".git/config"), join(top, ".git/modules/module/config")];
  for (const config of configs) plantKeys(config, plant("key"), join(base, "more"), [top, join(top, "module")]);
  writeFileSync(
    join(base, "more"),
    `[core]\n\tfsmonitor = ${plant("included")}\n[alias]\n\tstatus = !${plant("alias")}\n`,
  );
  const attributes = "* filter=evil diff=evil merge=evil ident text working-tree-encoding=UTF-8\n";
  for (const path of [".gitattributes", ".git/info/attributes", "sub/.gitattributes", "module/.gitattributes"])
    put(path, attributes);
  mkdirSync(join(top, ".git/hooks"), { recursive: true });
  for (const hook of ["post-index-change", "fsmonitor-watchman", "pre-commit", "reference-transaction"]) {
    put(`.git/hooks/${hook}`, readFileSync(plant(`hook-${hook}`), "utf8"));
    chmodSync(join(top, ".git/hooks", hook), 0o755);
  }
  rmSync(join(base, "started.log"), { force: true });
  // Git must look into these again.
  for (const path of ["a.txt", "x y.txt"]) put(path, `${readFileSync(join(top, path), "utf8")}more\n`);
  return inner;
}

/** Every key of this git's own list that takes a text: it refuses the others by name, and these are left out again. */
function plantKeys(config: string, trap: string, include: string, folders: readonly string[]): void {
  const listed = execFileSync("git", ["help", "--config"], { encoding: "utf8" }).split("\n");
  const own = listed
    .filter((key) => /^[a-z]+\.([\w<>*-]+\.)*[a-z][a-z0-9-]*(<[^>]*>)?$/i.test(key))
    .map((key) => key.replace(/<[^>]*>|\*/g, "evil"));
  const more = [
    "filter.evil.process",
    "diff.evil.command",
    "gpg.ssh.program",
    "core.hooksPath",
    "trailer.evil.command",
  ];
  const keys = new Set(
    [...own, ...more].filter((key) => !SHAPE.test(key) && NAMING.test(key)).map((key) => key.toLowerCase()),
  );
  const before = readFileSync(config, "utf8");
  for (;;) {
    const lines = [...keys].map((key) => {
      const [first, last] = [key.indexOf("."), key.lastIndexOf(".")];
      const name = first === last ? "" : ` "${key.slice(first + 1, last)}"`;
      return `[${key.slice(0, first)}${name}]\n\t${key.slice(last + 1)} = ${trap}\n`;
    });
    writeFileSync(config, `${before}\n${lines.join("")}[include]\n\tpath = ${include}\n`);
    const refused = folders.flatMap((cwd) => ["status", "diff", "log"].flatMap((verb) => refusedKeys(cwd, verb, keys)));
    if (refused.length === 0) return;
    for (const key of refused) keys.delete(key);
  }
}

function refusedKeys(cwd: string, verb: string, keys: ReadonlySet<string>): string[] {
  const { stderr, status } = spawnSync("git", [verb], { cwd, encoding: "utf8" });
  if (status === 0) return [];
  const words = stderr.toLowerCase().split(/[^\w.-]+/);
  const refused = [...keys].filter((key) => words.some((word) => word.replace(/\.$/, "") === key));
  if (refused.length === 0) throw new Error(`git ${verb}: ${stderr}`);
  return refused;
}

/** What says which repository it is, and how it is stored. */
const SHAPE =
  /^(core\.(bare|worktree|repositoryformatversion)|extensions\.|include|remote\.|branch\.|url\.|advice\.|color\.|column\.)/i;

/** Among these are all that git starts or opens; numbers, switches and choices are not. */
const NAMING =
  /(command|program|driver|textconv|external|clean|smudge|process|pager|editor|fsmonitor|hookspath|askpass|helper|template|file|cmd|hook|tool|signkey|signingkey|templatedir|helppath|rewrite\.evil|pager\.evil|alias\.evil)$/i;
