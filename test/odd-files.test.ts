// A file that a project chooses is no file at all: a pipe, a socket, a folder, a loop, a device, a terabyte, or closed to us.
// Whatever it is, commands end, a child gets its copy or a reason, and a signal still ends a run.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { seededRandom } from "../src/testing/memory/seeded-random.ts";
import { calls, responder, says } from "../src/testing/wire-server/script.ts";
import { background, resultIn, type World, world } from "./e2e-kit.ts";

const NAMES = [
  ".git",
  ".git/HEAD",
  ".git/index",
  ".git/config",
  ".git/commondir",
  ".git/packed-refs",
  ".git/info/exclude",
  ".git/refs/heads/main",
  ".worktreeinclude",
  ".gitignore",
  ".gitattributes",
  "AGENTS.md",
  "CLAUDE.md",
  ".mcp.json",
  ".claude",
  ".claude/settings.json",
  ".claude/agents",
  ".claude/agents/a.md",
  ".sous",
  ".sous/config.json",
  ".sous/agents/a.json",
  "package.json",
  ".env",
] as const;

const KINDS: Readonly<Record<string, (path: string) => void | Promise<void>>> = {
  pipe: (path) => void execFileSync("mkfifo", [path]),
  socket: (path) => socketAt(path),
  folder: (path) => void mkdirSync(path),
  loop: (path) => symlinkSync(path, path),
  "/dev/zero": (path) => symlinkSync("/dev/zero", path),
  "1 TB": (path) => (writeFileSync(path, ""), truncateSync(path, 1024 ** 4)),
  closed: (path) => (writeFileSync(path, "x"), chmodSync(path, 0)),
};

async function socketAt(path: string): Promise<void> {
  const server = createServer().listen(path);
  onTestFinished(() => void server.close());
  await new Promise((resolve, reject) => server.once("listening", resolve).once("error", reject));
}

async function project(): Promise<World> {
  const w = await world(
    responder((request) => {
      if (!JSON.stringify(request.body).includes("the lead")) return says("child done");
      return request.turn === 1
        ? calls("spawn_subagent", { prompt: "task", isolation: "worktree" })
        : says("lead done");
    }),
  );
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: w.dir.path, stdio: "ignore" });
  writeFileSync(w.dir.join("f.txt"), "f");
  writeFileSync(w.dir.join(".gitignore"), "state\n");
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-qm", "first");
  return w;
}

async function plant(w: World, name: string, kind: string): Promise<void> {
  const path = w.dir.join(name);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  await KINDS[kind]!(path);
}

const MOST_MS = 25_000;
const cells = NAMES.flatMap((name) => Object.keys(KINDS).map((kind) => [name, kind] as const));
/** In the quick run pipes everywhere, which hang worst, and a few others. */
const random = seededRandom(9);
const chosen = process.env["SOAK"]
  ? cells
  : cells.filter(([, kind]) => (kind === "pipe" ? random.next() < 0.5 : random.next() < 0.04));

test.each(chosen)("P.F07: %s as a %s: runs, children in copies, lists and checks end in time", async (name, kind) => {
  await using w = await project();
  await plant(w, name, kind);
  const began = performance.now();
  const run = w.sous(["run", "--trust", "--mode", "yolo", "-m", "anthropic/x", "-o", "json", "the lead"], {
    timeoutMs: MOST_MS,
  });
  const [ran, listed, looked] = await Promise.all([
    run,
    w.sous(["agents", "list", "--trust"], { timeoutMs: MOST_MS }),
    w.sous(["doctor"], { timeoutMs: MOST_MS }),
  ]);
  expect(performance.now() - began).toBeLessThan(MOST_MS);
  const about = `${ran.stderr}\n${ran.stdout.slice(-2_000)}`;
  // It works, or it says in one line which file is wrong.
  expect(
    [ran.code === 0 ? resultIn(ran.stdout).output : /\.sous|\.claude/.exec(ran.stderr)?.[0]],
    about,
  ).toContainEqual(expect.stringMatching(/lead done|\.sous|\.claude/));
  for (const { code, stderr } of [listed, looked]) expect([0, 1, 2], stderr).toContain(code);
});

test.each([".git", ".git/HEAD", ".worktreeinclude", ".gitignore", ".git/refs/heads/main"])(
  "P.F07: with a pipe as %s, SIGTERM ends a run at once",
  async (name) => {
    await using w = await project();
    await plant(w, name, "pipe");
    const { child, ended } = background(
      w,
      "run",
      "--trust",
      "--mode",
      "yolo",
      "-m",
      "anthropic/x",
      "-o",
      "jsonl",
      "the lead",
    );
    await new Promise((resolve) => child.stdout?.once("data", resolve));
    const began = performance.now();
    child.kill("SIGTERM");
    expect([null, 0, 1, 143]).toContain((await ended).code);
    expect(performance.now() - began).toBeLessThan(20_000);
  },
);
