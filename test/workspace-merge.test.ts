// What agents left in copies of their own comes back, is kept or thrown away: through the built command.
import { existsSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { calls, callsAll, says } from "../src/testing/wire-server/script.ts";
import type { Step } from "../src/testing/wire-server/step.ts";
import { waitFor } from "../src/testing/memory/wait-for.ts";
import { GATE, background, journal, openGate, resultIn } from "./e2e-kit.ts";
import { copies, project, spawn, toolResults, yolo } from "./workspace-kit.ts";

const worktree = { isolation: "worktree" };
const bash = (command: string): Step => calls("Bash", { command });
const released = (stateDir: string) =>
  journal(stateDir).flatMap((event) =>
    event.type === "workspace.released" ? [[event.path, event.how, event.by]] : [],
  );

/** A builder that edits three files, and its sibling that edits one of them. */
const siblings = (): Record<string, Step[]> => ({
  "build it": [bash("sed -i s/2/two/ a.txt b.txt c.txt; chmod +x c.txt"), says("built")],
  "fix it": [bash("sed -i s/2/zwei/ b.txt; rm a.txt; echo new > d.txt"), says("fixed")],
  "the lead": [callsAll(spawn("build it", { ...worktree, name: "builder" }), spawn("fix it", worktree)), says("ok")],
});

describe("D4: sous changes", () => {
  test("D4, P.Z02: predicts the conflict of siblings, applies the first, shows the second as a conflict, loses nothing", async () => {
    await using w = await project(siblings());
    await w.sous([...yolo, "the lead"]);
    const listed = (await w.sous(["changes"])).stdout;
    expect(listed).toMatch(
      /ROOT::S1  general-purpose "builder": 3 files \+3 -3 .*conflicts: a.txt \(with ROOT::S2\), b.txt \(with ROOT::S2\)/,
    );
    expect(listed).toMatch(/ROOT::S2 .*3 files \+2 -4 .*conflicts: a.txt \(with ROOT::S1\), b.txt \(with ROOT::S1\)/);
    const shown = (await w.sous(["changes", "show", "builder"])).stdout;
    expect(shown).toContain("changed  +1 -1  b.txt  (can be applied; conflicts with ROOT::S2)");
    expect(shown).toContain("changed  +1 -1  c.txt  (can be applied)");
    expect(shown).toContain("--- a/b.txt\n+++ b/b.txt\n@@ -1,3 +1,3 @@\n 1 b.txt\n-2\n+two\n 3\n");
    expect(shown).toContain("old mode 100644\nnew mode 100755\n");
    const json = JSON.parse((await w.sous(["changes", "show", "builder", "c.txt", "--json"])).stdout) as {
      diff: string;
    };
    expect([json.diff.includes("b/c.txt"), json.diff.includes("b/b.txt")]).toEqual([true, false]);
    expect((await w.sous(["changes", "show", "builder", "--stat"])).stdout).not.toContain("@@");
    const applied = await w.sous(["changes", "apply", "builder"]);
    expect(applied.stdout, applied.stderr).toContain(
      "3 files of ROOT::S1 applied; nothing is left in its copy, which is gone",
    );
    expect(["a.txt", "b.txt", "c.txt"].map(w.read)).toEqual([
      "1 a.txt\ntwo\n3\n",
      "1 b.txt\ntwo\n3\n",
      "1 c.txt\ntwo\n3\n",
    ]);
    const second = await w.sous(["changes", "show", "last/S2"]);
    expect(second.stdout).toContain("deleted  +0 -3  a.txt  (conflict: it was changed here and deleted there)");
    expect(second.stdout).toContain("changed  +1 -1  b.txt  (conflict: the same lines were changed here and there)");
    const refused = await w.sous(["changes", "apply", "last/S2"]);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining("nothing was applied: a.txt conflicts"),
    ]);
    const [tree = ""] = readdirSync(join(w.stateDir, "trees"));
    const root = join(w.stateDir, "trees", tree, "worktrees", copies(w).find((name) => !name.endsWith(".git")) ?? "");
    const next = refused.stderr.split("\n").slice(1, -1);
    expect(next.slice(0, 2)).toEqual([
      "  see both sides:   sous changes show last/S2 a.txt",
      "  apply the others: sous changes apply last/S2 d.txt",
    ]);
    expect(next[2]).toMatch(/^ {2}merge with git: {3}sous changes keep last\/S2 && git merge sous\S+$/);
    expect(next[3]).toContain(`its version is ${join(realpathSync(root), "a.txt")}; then sous changes discard last/S2`);
    expect(existsSync(join(w.top, "d.txt"))).toBe(false);
    const some = await w.sous(["changes", "apply", "last/S2", "d.txt", "--json"]);
    expect(JSON.parse(some.stdout)).toMatchObject({ applied: [join(w.top, "d.txt")], left: ["a.txt", "b.txt"] });
    expect([w.read("d.txt"), w.read("b.txt")]).toEqual(["new\n", "1 b.txt\ntwo\n3\n"]);
    expect((await w.sous(["changes"])).stdout).toMatch(/ROOT::S2 .*: 2 files left \+1 -4 .*, 1 applied  conflicts: /);
    const id = copies(w)[0] ?? "";
    expect(
      readFileSync(
        join(w.stateDir, "trees", readdirSync(join(w.stateDir, "trees"))[0]!, "worktrees", id, "b.txt"),
        "utf8",
      ),
    ).toContain("zwei");
    expect(released(w.stateDir)).toEqual([["ROOT::S1", "applied", "person"]]);
  });

  test("D4: a file that was joined line by line is no longer open, and a conflict of all files names no others", async () => {
    await using w = await project({
      "build it": [bash("sed -i s/1/one/ a.txt; sed -i s/2/two/ b.txt"), says("built")],
      "the lead": [callsAll(spawn("build it", worktree)), says("ok")],
    });
    await w.sous([...yolo, "the lead"]);
    writeFileSync(join(w.top, "a.txt"), "1 a.txt\n2\n3\n4\n");
    writeFileSync(join(w.top, "b.txt"), "1 b.txt\nzwei\n3\n");
    await w.sous(["changes", "apply", "last/S1", "a.txt"]);
    expect(w.read("a.txt")).toBe("one a.txt\n2\n3\n4\n");
    expect((await w.sous(["changes"])).stdout).toMatch(/ROOT::S1 .*: 1 file left \+1 -1 .*, 1 applied/);
    const refused = (await w.sous(["changes", "apply", "last/S1"])).stderr;
    expect(refused).toContain("nothing was applied: b.txt conflicts");
    expect(refused).not.toContain("apply the others");
    const branch = /git merge (\S+)/.exec(refused)?.[1] ?? "";
    await w.sous(["changes", "keep", "last/S1"]);
    expect(w.git("show", `${branch}:b.txt`)).toBe("1 b.txt\ntwo\n3");
  });

  test("D4: what was applied is taken back by sous changes revert, deletions and permission bits too", async () => {
    await using w = await project({
      "change it": [
        bash("rm a.txt; sed -i s/2/two/ b.txt; chmod +x b.txt; mkdir -p deep; echo n > deep/n.txt"),
        says("done"),
      ],
      "the lead": [callsAll(spawn("change it", worktree)), says("ok")],
    });
    await w.sous([...yolo, "the lead"]);
    await w.sous(["changes", "apply", "last/S1"]);
    expect([existsSync(join(w.top, "a.txt")), w.read("deep/n.txt")]).toEqual([false, "n\n"]);
    expect((await w.sous(["changes", "show", "last"])).stdout).toContain(
      "changed  +1 -1  b.txt  (1 edit; nobody has touched it since)",
    );
    const reverted = await w.sous(["changes", "revert", "last", "--yes"]);
    expect(reverted.code, reverted.stderr).toBe(0);
    expect(w.git("status", "--short")).toBe("?? state/");
    expect(existsSync(join(w.top, "deep"))).toBe(false);
  });

  test("D4: keep makes its commits and the rest a branch of the repository and runs no hook of it; discard throws away", async () => {
    await using w = await project({
      "commit it": [
        bash(
          "git config user.name a; git config user.email a@b; echo one > one.txt; git add .; git commit -qm mine; echo two > two.txt",
        ),
        says("done"),
      ],
      "drop it": [bash("echo x > x.txt; mkdir locked; echo y > locked/y; chmod 500 locked"), says("done")],
      "the lead": [callsAll(spawn("commit it", worktree), spawn("drop it", worktree)), says("ok")],
    });
    const hook = join(w.top, ".git/hooks/reference-transaction");
    writeFileSync(hook, `#!/bin/sh\ntouch ${w.top}/hooked\n`, { mode: 0o755 });
    await w.sous([...yolo, "the lead"]);
    const kept = await w.sous(["changes", "keep", "last/S1"]);
    const branch = /the branch (\S+);/.exec(kept.stdout)?.[1] ?? "";
    rmSync(hook);
    expect(existsSync(join(w.top, "hooked")), kept.stderr).toBe(false);
    expect(w.git("show", "--stat", "--format=%s", branch)).toMatch(/what general-purpose left uncommitted[^]*two.txt/);
    expect(w.git("log", "--format=%s", branch).split("\n")).toEqual([
      "what general-purpose left uncommitted",
      "mine",
      "the state this copy was made from",
      "first",
    ]);
    expect(w.git("fsck", "--full", "--strict")).toBe("");
    expect((await w.sous(["changes", "discard", "last/S2"])).code).toBe(0);
    expect(copies(w)).toEqual([]);
    expect(released(w.stateDir)).toEqual([
      ["ROOT::S1", "kept", "person"],
      ["ROOT::S2", "discarded", "person"],
    ]);
    const gone = await w.sous(["changes", "apply", "last/S2"]);
    expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining("ROOT::S2 has no copy of its own any more")]);
  });

  test("P.Z02: a session with work that stands only in a copy is not removed, unless that is said", async () => {
    await using w = await project(siblings());
    await w.sous([...yolo, "the lead"]);
    const refused = await w.sous(["sessions", "rm", "last"]);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining("what ROOT::S1, ROOT::S2 changed stands only there"),
    ]);
    writeFileSync(w.dir.join("config.json"), JSON.stringify({ retention: { sessions: 1 } }));
    await w.sous([...yolo, "--config", w.dir.join("config.json"), "the lead"]);
    expect(readdirSync(join(w.stateDir, "trees"))).toHaveLength(2);
    for (const one of ["last/S1", "last/S2"]) await w.sous(["changes", "discard", one]);
    expect((await w.sous(["sessions", "rm", "last"])).code).toBe(0);
    expect((await w.sous(["sessions", "rm", "last", "--force"])).code).toBe(0);
    expect(readdirSync(join(w.stateDir, "trees"))).toEqual([]);
  });
});

describe("D4: while its tree is open", () => {
  test("D4: the lead looks, applies some files through the guard, keeps and discards with its own tool", async () => {
    const lead = (action: string, id: string, more = {}): Step => calls("child_changes", { action, id, ...more });
    await using w = await project({
      ...siblings(),
      "the lead": [
        callsAll(spawn("build it", { ...worktree, name: "builder" }), spawn("fix it", worktree)),
        lead("show", "builder"),
        lead("apply", "builder", { files: ["b.txt"] }),
        lead("apply", "S2"),
        lead("discard", "S2"),
        lead("keep", "ROOT::S1"),
        says("ok"),
      ],
    });
    const asked = await w.sous(["run", "--model", "anthropic/x", "--allow", "Bash", "-o", "json", "the lead"]);
    expect(resultIn(asked.stdout).status).toBe("succeeded");
    const refused = toolResults(w, "ROOT");
    expect(refused[2]).toContain("conflicts with ROOT::S2");
    for (const said of refused.slice(3)) expect(said).toContain("Not run: child_changes was refused");
    expect(w.git("status", "--short")).toBe("?? state/");
    rmSync(w.stateDir, { recursive: true });
    await w.sous([...yolo, "the lead"]);
    const said = toolResults(w, "ROOT");
    expect(said[3]).toContain(`applied ${join(w.top, "b.txt")}; still open: a.txt, c.txt`);
    expect(said[4]).toContain("Nothing was done: nothing was applied: b.txt conflicts");
    expect(said[5]).toBe("discarded");
    expect(said[6]).toContain("kept as the branch sous/general-purpose-");
    expect([w.read("b.txt"), w.git("status", "--short")]).toEqual(["1 b.txt\ntwo\n3\n", "M b.txt\n?? state/"]);
    await w.sous(["changes", "revert", "last", "--yes"]);
    expect(w.read("b.txt")).toBe("1 b.txt\n2\n3\n");
  });

  test("D4: a person decides from another terminal: its host does it, and not while the child is at work", async () => {
    const scripts: Record<string, Step[]> = {
      "build it": [bash("sed -i s/2/two/ a.txt"), says("built")],
      "the lead": [
        callsAll(spawn("build it", worktree), spawn("wait it", { ...worktree, background: true })),
        bash(GATE),
        says("ok"),
      ],
    };
    await using w = await project(scripts);
    scripts["wait it"] = [bash(`echo w > w.txt; until [ -e ${w.top}/open ]; do sleep 0.05; done`), says("waited")];
    const run = background(w, ...yolo, "the lead");
    await waitFor(
      () => journal(w.stateDir).some(({ type, path }) => type === "run.ended" && path === "ROOT::S1"),
      20_000,
    );
    await waitFor(
      () => journal(w.stateDir).some(({ type, path }) => type === "tool.started" && path === "ROOT::S2"),
      20_000,
    );
    const busy = await w.sous(["changes", "discard", "last/S2"]);
    expect([busy.code, busy.stderr]).toEqual([1, expect.stringContaining("ROOT::S2 is still at work in it")]);
    const done = await w.sous(["changes", "apply", "last/S1"]);
    expect(done.stdout, done.stderr).toContain("1 file of ROOT::S1 applied");
    expect(w.read("a.txt")).toContain("two");
    openGate(w);
    await run.ended;
    expect(released(w.stateDir)).toEqual([["ROOT::S1", "applied", "person"]]);
  });
});
