// Git that an agent runs unasked, through the built command: what it obeys, and what it shows.
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { plantPrograms } from "../src/testing/memory/planted-programs.ts";
import { call, calls, callsAll, says } from "../src/testing/wire-server/script.ts";
import { project, spawn, toolResults } from "./workspace-kit.ts";

const confirm = ["run", "--model", "anthropic/x", "-o", "json"];
const bash = (command: string) => call("Bash", { command });

function trap(w: { readonly stateDir: string; readonly top: string }): { readonly path: string; ran(): boolean } {
  const [path, log] = [join(w.top, "trap.sh"), join(w.top, "trapped")];
  writeFileSync(path, `#!/bin/sh\necho "$*" >> '${log}'\ncat\n`);
  chmodSync(path, 0o755);
  return { path, ran: () => existsSync(log) };
}

test("P.B06: unasked git starts nothing that a repository configures, trusted or not, also in a copy", async () => {
  const looks = ["git status", "git diff", "git log -p -2", "git status | head -3", "git diff --stat && git branch -a"];
  await using w = await project({
    "look there": [callsAll(...looks.map(bash)), says("seen")],
    "the lead": [callsAll(...looks.map(bash), spawn("look there", { isolation: "worktree" })), says("ok")],
  });
  const { path, ran } = trap(w);
  for (const key of ["core.fsmonitor", "filter.evil.clean", "diff.evil.textconv", "diff.external", "core.pager"])
    w.git("config", key, path);
  w.git("config", "core.hooksPath", w.top);
  writeFileSync(join(w.top, ".gitattributes"), "* filter=evil diff=evil\n");
  writeFileSync(join(w.top, "a.txt"), "changed\n");
  for (const trust of [[], ["--trust"]]) {
    rmSync(w.stateDir, { recursive: true, force: true });
    const run = await w.sous([...confirm, ...trust, "the lead"]);
    const said = [...toolResults(w, "ROOT").slice(-looks.length - 1, -1)];
    for (const one of said) expect(one, run.stderr).toMatch(/\[exit code 0\]/);
    expect(said.join("\n")).toMatch(/modified: +a\.txt[^]*\+changed/);
    expect(toolResults(w, "ROOT::S1").join("\n")).toMatch(/\[exit code 0\]/);
    expect(ran()).toBe(false);
  }
  expect(w.git("status", "--short")).toContain("a.txt");
  expect(ran()).toBe(true);
});

test("P.B06, P.F01: a git folder that an agent writes with its tools is asked about, and unasked git obeys none", async () => {
  const config = "[core]\n\tfsmonitor = ./trap.sh\n";
  const write = (file_path: string, content: string) => call("Write", { file_path, content });
  await using w = await project({
    "the lead": [
      callsAll(
        write("sub/HEAD", "ref: refs/heads/main\n"),
        write("sub/config", config),
        write(".git/hooks/pre-commit", config),
        write("sub/.git", "gitdir: ../elsewhere\n"),
      ),
      callsAll(bash("git status"), bash("git -C sub status"), bash("cd sub && git status")),
      says("ok"),
    ],
  });
  const { ran } = trap(w);
  for (const name of ["objects", "refs"]) mkdirSync(join(w.top, "sub", name), { recursive: true });
  await w.sous([...confirm, "--allow", "Write", "the lead"]);
  const said = toolResults(w, "ROOT");
  expect(said.slice(0, 4).map((one) => /refused/.test(one))).toEqual([true, false, true, true]);
  expect(said[4]).toContain("On branch");
  for (const one of said.slice(5)) expect(one).toContain("refused");
  expect(ran()).toBe(false);
});

test("P.B11: unasked git says where changes inside submodules are left out, and tells those that are recorded", async () => {
  const looks = ["git status -s", "git diff", "git diff --cached", "git show HEAD --stat"];
  await using w = await project({ "the lead": [callsAll(...looks.map(bash)), says("seen")] });
  writeFileSync(join(w.top, ".gitmodules"), '[submodule "m"]\n\tpath = m\n\turl = ../m\n');
  const bump = (): string =>
    w.git("update-index", "--add", "--cacheinfo", `160000,${w.git("rev-parse", "HEAD").trim()},m`);
  bump();
  w.git("commit", "-qm", "a module");
  bump();
  await w.sous([...confirm, "the lead"]);
  const [status, files, staged, shown] = toolResults(w, "ROOT");
  for (const one of [status, files]) expect(one).toContain("Changes inside submodules are left out");
  expect(status).toMatch(/^M.? m$/m);
  for (const one of [staged, shown]) expect(one).not.toContain("left out");
  expect(staged).toContain("+Subproject commit");
  expect(shown).toMatch(/ m \| 1 \+/);
});

test("P.F01: git that would read outside, or show what a rule hides, asks", async () => {
  const tries = [
    "git diff /etc/passwd a.txt",
    "git diff -- ../x a.txt",
    "git diff ../o:b/. a.txt",
    "git diff --no-index a.txt b.txt",
    "git log -L1,2:a.txt",
    "git log --format=%G?",
    "git log --output=x",
    "git ls-files -X /etc/passwd",
    "git blame --contents /etc/passwd a.txt",
    "git diff -O/etc/passwd",
    "git status --pathspec-from-file=/etc/passwd",
    "git show :a.txt",
    "git branch new",
    "git tag new",
    "git --git-dir=.git status",
  ];
  const shows = ["git status -v", "git diff", "git log -p", "git log -S x", "git show HEAD:a.txt"];
  await using w = await project({
    "the lead": [callsAll(...[...tries, ...shows].map(bash)), says("ok")],
    again: [callsAll(bash("git status"), bash("git log --oneline")), says("ok")],
  });
  await w.sous([...confirm, "--trust", "--deny", "Read(secret.env)", "the lead"]);
  const said = toolResults(w, "ROOT");
  expect(said).toHaveLength(tries.length + shows.length);
  for (const [at, one] of said.entries()) expect(one, [...tries, ...shows][at]).toContain("refused");
  rmSync(w.stateDir, { recursive: true });
  await w.sous([...confirm, "--deny", "Read(secret.env)", "again"]);
  for (const one of toolResults(w, "ROOT")) expect(one).toContain("[exit code 0]");
  expect(w.git("branch", "--list")).toBe("* main");
});

test("P.B08: an unasked command takes no program from the workspace, and no variable leads it to one", async () => {
  const commands = ["git status", "ls", "cat a.txt | head -1", "rg one a.txt || true"];
  await using w = await project({ "the lead": [callsAll(...commands.map(bash)), says("ok")] });
  const planted = plantPrograms(w.top);
  const { path, ran } = trap(w);
  const env = {
    PATH: `${planted.folder}:planted:.:${process.env["PATH"]}`,
    BASH_ENV: path,
    GIT_EXTERNAL_DIFF: path,
    RIPGREP_CONFIG_PATH: path,
    "BASH_FUNC_ls%%": `() { ${path}; }`,
  };
  const run = await w.sous([...confirm, "the lead"], { env });
  expect(toolResults(w, "ROOT")[0], run.stderr).toContain("On branch main");
  expect(toolResults(w, "ROOT")[1]).toContain("a.txt");
  expect(planted.started()).toEqual([]);
  expect(ran()).toBe(false);
});

test("P.B06: nothing is left of the git folder that an unasked command had", async () => {
  await using w = await project({ "the lead": [calls("Bash", { command: "git status" }), says("ok")] });
  await w.sous([...confirm, "the lead"]);
  expect(toolResults(w, "ROOT")[0]).toContain("On branch main");
  const [tree = ""] = readdirSync(join(w.stateDir, "trees"));
  expect(readdirSync(join(w.stateDir, "trees", tree, "git"))).toEqual([]);
});
