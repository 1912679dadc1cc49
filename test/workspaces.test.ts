// Children in workspaces of their own, through the built command: what they see, what they cannot touch, what is left.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { RunResult, WorkspaceReport } from "../src/core/run-result.ts";
import { call, calls, callsAll, says } from "../src/testing/wire-server/script.ts";
import type { Step } from "../src/testing/wire-server/step.ts";
import { journal, resultIn } from "./e2e-kit.ts";
import { agent, copies, project, spawn, toolResults, yolo } from "./workspace-kit.ts";

const childOf = (result: RunResult) => result.children[0] as { status: string; workspace?: WorkspaceReport };

describe("D3: a child in a worktree", () => {
  test("D2, D4: sees the current state in its own folder, and what it changes stands there and not in the project", async () => {
    await using w = await project({
      "build it": [
        callsAll(
          call("Read", { file_path: "new.txt" }),
          call("Grep", { pattern: "uncommitted" }),
          call("Bash", { command: "pwd; ls" }),
        ),
        calls("Edit", { file_path: "a.txt", old_string: "2", new_string: "two" }),
        calls("Read", { file_path: "a.txt" }),
        calls("Edit", { file_path: "a.txt", old_string: "2", new_string: "two" }),
        calls("Bash", { command: "rm b.txt; echo made > made.txt" }),
        calls("Bash", { command: "sleep 1; echo late > late.txt", run_in_background: true }),
        says("built"),
      ],
      "the lead": [callsAll(spawn("build it", { isolation: "worktree" })), says("ok")],
    });
    writeFileSync(join(w.top, "a.txt"), "1\n2\nuncommitted\n");
    writeFileSync(join(w.top, "new.txt"), "untracked\n");
    mkdirSync(join(w.top, "ignored"));
    writeFileSync(join(w.top, "ignored/x"), "x");
    const ran = await w.sous([...yolo, "the lead"]);
    const child = childOf(resultIn(ran.stdout));
    const [tree = ""] = readdirSync(join(w.stateDir, "trees"));
    const id = copies(w)[0] ?? "";
    const root = join(realpathSync(w.stateDir), "trees", tree, "worktrees", id);
    expect(child, ran.stderr).toMatchObject({
      status: "succeeded",
      workspace: {
        isolation: "worktree",
        root,
        source: w.top,
        branch: expect.stringMatching(/^sous\/general-purpose-/) as string,
      },
    });
    expect(child.workspace?.files).toEqual([
      { path: "a.txt", change: "changed", added: 1, removed: 1 },
      { path: "b.txt", change: "deleted", added: 0, removed: 3 },
      { path: "made.txt", change: "created", added: 1, removed: 0 },
    ]);
    const said = toolResults(w, "ROOT::S1");
    expect(said[0]).toContain("untracked");
    expect(said[1]).toContain("a.txt");
    expect(said[2]).toContain(`${root}\n`);
    for (const absent of ["ignored", "state"]) expect(said[2]?.split("\n")).not.toContain(absent);
    expect([w.read("a.txt"), w.git("status", "--short")]).toEqual([
      "1\n2\nuncommitted\n",
      "M a.txt\n?? new.txt\n?? state/",
    ]);
    expect(toolResults(w, "ROOT")[0]).toContain(
      "[in its own copy, not yet here: a.txt +1 -1, b.txt (deleted) +0 -3, made.txt",
    );
    const system = JSON.stringify((w.server.requests[1]?.body as { system: unknown } | undefined)?.system);
    expect(system).toContain(`Folder: ${root} (your own copy of ${w.top}: work only here)`);
    const types = journal(w.stateDir)
      .filter(({ path }) => path === "ROOT::S1")
      .map(({ type }) => type);
    expect(types.indexOf("workspace.bound")).toBeLessThan(types.indexOf("turn.started"));
  });

  test("D4, P.Z02: a copy that holds nothing of its own is removed and recorded; one with only a commit stays", async () => {
    await using w = await project({
      "only look": [calls("Bash", { command: "cat a.txt; git status" }), says("seen")],
      "commit it": [
        calls("Bash", {
          command: "git config user.name a; git config user.email a@b; git commit -q --allow-empty -m work",
        }),
        says("done"),
      ],
      "the lead": [
        callsAll(spawn("only look", { isolation: "worktree" }), spawn("commit it", { isolation: "worktree" })),
        says("ok"),
      ],
    });
    const result = resultIn((await w.sous([...yolo, "the lead"])).stdout);
    const [looked, committed] = result.children as { session: string; workspace: WorkspaceReport }[];
    expect(looked?.workspace).toMatchObject({ files: [], released: "clean" });
    expect(committed?.workspace).not.toHaveProperty("released");
    expect(copies(w)).toEqual([committed?.session, `${committed?.session}.git`]);
    expect(journal(w.stateDir).filter(({ type }) => type === "workspace.released")).toMatchObject([
      { path: "ROOT::S1", how: "clean" },
    ]);
  });

  test("P.Z04: cannot change the project by git -C, --git-dir, GIT_DIR, absolute path or a linked folder, also in yolo", async () => {
    const tries = (top: string): string[] => [
      `git -C ${top} commit -q --allow-empty -m x`,
      `git --git-dir=${top}/.git update-ref refs/heads/evil HEAD`,
      `GIT_DIR=${top}/.git GIT_WORK_TREE=${top} git checkout -q -b evil`,
      `git --git-dir=${top}/.git config core.hooksPath /tmp`,
      `echo x > ${top}/a.txt`,
      `ln -s ${top} out; cd out && echo x > a.txt`,
      `rm -rf ${top}/b.txt`,
      "git stash -u; git push -f origin HEAD:main",
    ];
    const scripts: Record<string, Step[]> = {};
    await using w = await project(scripts);
    scripts["attack it"] = [
      callsAll(...tries(w.top).map((command) => call("Bash", { command }))),
      callsAll(
        call("Write", { file_path: join(w.top, "a.txt"), content: "x" }),
        call("Read", { file_path: join(w.top, "a.txt") }),
      ),
      says("tried"),
    ];
    scripts["the lead"] = [callsAll(spawn("attack it", { isolation: "worktree" })), says("ok")];
    const before = w.git("for-each-ref") + readFileSync(join(w.top, ".git/config"), "utf8");
    const ran = await w.sous([...yolo, "the lead"], { env: { GIT_DIR: join(w.top, ".git") } });
    expect(resultIn(ran.stdout).status, ran.stderr).toBe("succeeded");
    expect(w.git("for-each-ref") + readFileSync(join(w.top, ".git/config"), "utf8")).toBe(before);
    expect([w.read("a.txt"), w.read("b.txt"), w.git("log", "--oneline").split("\n").length]).toEqual([
      "1 a.txt\n2\n3\n",
      "1 b.txt\n2\n3\n",
      1,
    ]);
    for (const said of toolResults(w, "ROOT::S1").slice(-2)) expect(said).toContain("is outside the workspace");
  });

  test("X11, D3: is not forked, because its copy is its own; its parent is told", async () => {
    await using w = await project({
      "look at it": [calls("Read", { file_path: "a.txt" }), says("seen")],
      "the lead": [
        callsAll(spawn("look at it", { isolation: "worktree" })),
        calls("subagents", { action: "fork", id: "ROOT::S1", message: "more" }),
        says("ok"),
      ],
    });
    const ran = await w.sous([...yolo, "the lead"]);
    expect(resultIn(ran.stdout), ran.stderr).toMatchObject({ status: "succeeded", children: [{ path: "ROOT::S1" }] });
    expect(toolResults(w, "ROOT")[1]).toContain("which a fork cannot share");
  });

  test("D3: its children share its copy, or get a copy of that copy; a definition can ask for it", async () => {
    await using w = await project({
      "shared work": [calls("Bash", { command: "cat mine.txt; echo shared > shared.txt" }), says("s")],
      "apart work": [calls("Bash", { command: "cat mine.txt; echo apart > apart.txt" }), says("a")],
      "outer work": [
        calls("Write", { file_path: "mine.txt", content: "outer" }),
        callsAll(spawn("shared work"), spawn("apart work", { isolation: "worktree" })),
        calls("Bash", { command: "ls" }),
        says("outer"),
      ],
      "the lead": [callsAll(spawn("outer work", { agent: "boss" })), says("ok")],
    });
    agent(w, "boss", 'isolation: worktree\nspawns: "*"');
    const ran = await w.sous([...yolo, "--trust", "the lead"]);
    expect(resultIn(ran.stdout).status, ran.stderr).toBe("succeeded");
    const bound = journal(w.stateDir).flatMap((event) => (event.type === "workspace.bound" ? [event] : []));
    expect(bound.map(({ path }) => path)).toEqual(["ROOT::S1", "ROOT::S1::S2"]);
    expect(bound[1]?.source).toBe(bound[0]?.root);
    for (const path of ["ROOT::S1::S1", "ROOT::S1::S2"]) expect(toolResults(w, path)[0]).toContain("outer");
    const listed = toolResults(w, "ROOT::S1").at(-1)?.split("\n");
    expect(listed).toContain("shared.txt");
    expect(listed).not.toContain("apart.txt");
    expect(readdirSync(w.top)).not.toContain("mine.txt");
  });

  test("D3: where no copy can be made the child fails in one line and nothing is left behind", async () => {
    await using w = await project({ "the lead": [callsAll(spawn("build it", { isolation: "worktree" })), says("ok")] });
    w.git("update-index", "--add", "--cacheinfo", `100644,${"1".repeat(40)},damaged`);
    w.git("update-index", "--skip-worktree", "damaged");
    const ran = await w.sous([...yolo, "the lead"]);
    expect(childOf(resultIn(ran.stdout)).status).toBe("failed");
    expect(toolResults(w, "ROOT")[0]).toMatch(/no copy of .* could be made for ROOT::S1: git write-tree: \S/);
    expect(copies(w)).toEqual([]);
  });
});

describe("D3: sandbox, custom and read-only", () => {
  test("D3: a sandbox writes only in its copy and has no network, unless its definition gives it one", async () => {
    const probe =
      "echo in > in.txt; echo out > ../out.txt; echo home > ~/home.txt; (exec 3<>/dev/tcp/127.0.0.1/PORT) 2>&1; true";
    const scripts: Record<string, Step[]> = {};
    await using w = await project(scripts);
    const { port } = new URL(w.env["ANTHROPIC_BASE_URL"] ?? "");
    const command = probe.replace("PORT", port);
    scripts["work alone"] = [calls("Bash", { command }), says("done")];
    scripts["work online"] = [calls("Bash", { command }), says("done")];
    scripts["the lead"] = [
      callsAll(spawn("work alone", { isolation: "sandbox" }), spawn("work online", { agent: "online" })),
      says("ok"),
    ];
    agent(w, "online", "workspace: {isolation: sandbox, network: true}");
    const home = w.dir.join("home");
    mkdirSync(home);
    const ran = await w.sous([...yolo, "--trust", "the lead"], { env: { HOME: home } });
    const result = resultIn(ran.stdout);
    for (const child of result.children as { workspace: WorkspaceReport }[])
      expect(child.workspace, ran.stderr).toMatchObject({ isolation: "sandbox", files: [{ path: "in.txt" }] });
    expect(copies(w).filter((name) => name === "out.txt")).toEqual([]);
    expect(existsSync(join(home, "home.txt"))).toBe(false);
    expect(toolResults(w, "ROOT::S1")[0]).toMatch(/unreachable|refused/i);
    expect(toolResults(w, "ROOT::S2")[0]).not.toMatch(/unreachable|refused/i);
  });

  test("D2, B8: a read-only child writes nothing by any tool, in yolo too, and is told whose workspace it is", async () => {
    await using w = await project({
      "inner work": [calls("Write", { file_path: "inner.txt", content: "x" }), says("i")],
      "look only": [
        callsAll(
          call("Write", { file_path: "x.txt", content: "x" }),
          call("Bash", { command: "echo x > y.txt" }),
          call("Bash", { command: "python3 -c 'print(1)'" }),
          call("Bash", { command: "cat a.txt | head -1" }),
        ),
        callsAll(spawn("inner work")),
        says("looked"),
      ],
      "the lead": [callsAll(spawn("look only", { agent: "looker" })), says("ok")],
    });
    agent(w, "looker", 'workspace: {allowWrites: false}\nspawns: "*"');
    await w.sous([...yolo, "--trust", "the lead"]);
    const said = toolResults(w, "ROOT::S1");
    for (const refused of said.slice(0, 3)) expect(refused).toContain("ROOT::S1's workspace is read-only");
    expect(said[3]).toContain("1 a.txt");
    expect(toolResults(w, "ROOT::S1::S1")[0]).toContain("ROOT::S1's workspace is read-only");
    expect(w.git("status", "--short")).not.toMatch(/txt/);
  });

  test("D3: a custom workspace is a folder of the project, or one that its command prints; anything else is refused", async () => {
    await using w = await project({
      "work here": [
        calls("Bash", { command: "pwd; echo x > here.txt" }),
        calls("Write", { file_path: "../up.txt", content: "x" }),
        says("done"),
      ],
      "the lead": [
        callsAll(...["given", "made", "outside", "failing"].map((name) => spawn("work here", { agent: name }))),
        callsAll(spawn("work here", { agent: "given", isolation: "worktree" })),
        says("ok"),
      ],
    });
    mkdirSync(join(w.top, "part"));
    agent(w, "given", "workspace: {isolation: custom, path: part}");
    agent(w, "made", 'workspace: {command: "echo making; mkdir -p made/it; echo $PWD/made/it"}');
    agent(w, "outside", "workspace: {path: /usr}");
    agent(w, "failing", 'workspace: {command: "echo no space left >&2; exit 3"}');
    await w.sous([...yolo, "--trust", "the lead"]);
    expect([w.read("part/here.txt"), w.read("made/it/here.txt")]).toEqual(["x\n", "x\n"]);
    for (const path of ["ROOT::S1", "ROOT::S2"]) expect(toolResults(w, path)[1]).toContain("is outside the workspace");
    const said = toolResults(w, "ROOT").join("\n");
    expect(said).toContain("outside: its workspace /usr is outside the workspace");
    expect(said).toContain("failing: the command for its workspace failed: no space left");
    expect(said).toContain("given works in a folder of its own, which is no worktree");
  });

  test("E7, D3: what is always allowed in the project is asked for again where a child works somewhere else", async () => {
    const touches = [calls("Bash", { command: "touch it" }), says("done")];
    await using w = await project({
      "work there": touches,
      "work here": touches,
      "the lead": [callsAll(spawn("work there", { agent: "made" }), spawn("work here")), says("ok")],
    });
    const elsewhere = mkdtempSync(join(tmpdir(), "sous-else-"));
    onTestFinished(() => rmSync(elsewhere, { recursive: true }));
    agent(w, "made", `workspace: {command: "echo ${elsewhere}"}`);
    await w.sous(["permissions", "add", "Bash(touch it)"], { env: { SOUS_RUN: "" } });
    const ran = await w.sous([...yolo, "--mode", "confirm", "--trust", "the lead"]);
    expect(existsSync(join(w.top, "it")), ran.stderr).toBe(true);
    expect(existsSync(join(elsewhere, "it"))).toBe(false);
    expect(toolResults(w, "ROOT::S1")[0]).toContain("no rule covers touch it");
  });
});
