// Ways around rules, copies and sandboxes that lead over another tool, or over Sous itself, through the built command.
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { call, calls, callsAll, says } from "../src/testing/wire-server/script.ts";
import { plantPrograms } from "../src/testing/memory/planted-programs.ts";
import type { Step } from "../src/testing/wire-server/step.ts";
import { journal, lines, resultIn, sousArgv } from "./e2e-kit.ts";
import { agent, copies, project, spawn, toolResults, yolo } from "./workspace-kit.ts";

test("P.F02, B8: a rule that denies writing a file holds for what a child's copy brings back, and for commands that plainly write it", async () => {
  const hidden = "python3 -c \"open('sec'+'ret.env','w').write('evil')\"; echo x > fine.txt";
  await using w = await project({
    "work it": [calls("Bash", { command: hidden }), says("done")],
    "the lead": [
      callsAll(spawn("work it", { isolation: "worktree" })),
      callsAll(
        call("child_changes", { action: "apply", id: "S1" }),
        ...[
          "echo evil > secret.env",
          "cat a.txt | tee ./secret.env",
          "cp a.txt SECRET.env",
          "sed -i s/good/bad/ secret.env",
        ]
          .concat("rm -f link", "dd if=a.txt of=secret.env", "mv a.txt secret.env")
          .map((command) => call("Bash", { command })),
        call("Bash", { command: "cp secret.env copied.txt" }),
      ),
      calls("child_changes", { action: "apply", id: "S1", files: ["fine.txt"] }),
      says("ok"),
    ],
  });
  writeFileSync(join(w.top, "secret.env"), "good\n");
  await w.sous([...yolo, "--deny", "Edit(secret.env)", "--deny", "Write(link)", "the lead"]);
  const [, ...said] = toolResults(w, "ROOT");
  expect(w.read("secret.env")).toBe("good\n");
  for (const refused of said.slice(0, 8))
    expect(refused).toMatch(/refused: the rule (Edit|Write)\((secret.env|link)\) denies it/);
  // Who only reads it, and what else the copy has, is not held up.
  expect([w.read("copied.txt"), w.read("fine.txt")]).toEqual(["good\n", "x\n"]);
});

type Child = { path: string; session: string; workspace: { files: { path: string }[] } };

test("P.Z02, D4: a repository in a copy, and what only the agent's own rules ignore, keep the copy and are told; caches do not", async () => {
  const commit = "git -c user.name=a -c user.email=a@b commit -qm w";
  await using w = await project({
    "with a commit": [
      calls("Bash", { command: `git init -q sub && cd sub && echo work > f && git add f && ${commit}` }),
      says("d"),
    ],
    "without one": [calls("Bash", { command: "git init -q sub && echo work > sub/f" }), says("d")],
    "out of sight": [
      calls("Bash", { command: "mkdir out; echo '*' > out/.gitignore; echo work > out/f; echo x > new.txt" }),
      says("d"),
    ],
    "only caches": [
      calls("Bash", {
        command: "mkdir c ignored; echo '*' > c/.gitignore; echo tag > c/CACHEDIR.TAG; echo x > ignored/f",
      }),
      says("d"),
    ],
    "the lead": [
      callsAll(
        ...["with a commit", "without one", "out of sight", "only caches"].map((task) =>
          spawn(task, { isolation: "worktree" }),
        ),
      ),
      says("ok"),
    ],
  });
  const ran = await w.sous([...yolo, "the lead"]);
  const ended = resultIn(ran.stdout).children as Child[];
  const children = ended.toSorted((a, b) => a.path.localeCompare(b.path));
  expect(children.map(({ workspace }) => workspace.files.map(({ path }) => path))).toEqual([
    ["sub/"],
    ["sub/"],
    ["new.txt", "out/"],
    [],
  ]);
  expect(
    copies(w)
      .filter((name) => !name.endsWith(".git"))
      .toSorted(),
  ).toEqual(
    children
      .slice(0, 3)
      .map(({ session }) => session)
      .toSorted(),
  );
  const shown = await w.sous(["changes", "show", "last/S1"]);
  expect(shown.stdout).toContain("cannot be applied: it is a repository of its own; it stands in ");
  expect((await w.sous(["changes", "keep", "last/S1"])).stderr).toContain("no branch can hold sub/");
  const applied = await w.sous(["changes", "apply", "last/S3"]);
  expect(applied.stdout, applied.stderr).toContain("1 file still open");
  expect(w.read("new.txt")).toBe("x\n");
  const folder = join(w.stateDir, "trees", readdirSync(join(w.stateDir, "trees"))[0] ?? "", "worktrees");
  const kept = [`${children[0]?.session}/sub/f`, `${children[1]?.session}/sub/f`, `${children[2]?.session}/out/f`];
  expect(kept.map((path) => readFileSync(join(folder, path), "utf8"))).toEqual(["work\n", "work\n", "work\n"]);
});

test("P.Z02, D4: what is only staged or stashed in a copy keeps it when its files are applied, and comes as a branch", async () => {
  const as = "git -c user.name=a -c user.email=a@b";
  await using w = await project({
    "only stage": [
      calls("Bash", { command: "echo staged-work > new && git add new && rm new && git reset -q" }),
      says("d"),
    ],
    "stash and change": [
      calls("Bash", { command: `echo stashed-work > a.txt && ${as} stash -q && echo x > new.txt` }),
      says("d"),
    ],
    "the lead": [
      callsAll(spawn("only stage", { isolation: "worktree" }), spawn("stash and change", { isolation: "worktree" })),
      says("ok"),
    ],
  });
  const ran = await w.sous([...yolo, "the lead"]);
  const children = (resultIn(ran.stdout).children as Child[]).toSorted((a, b) => a.path.localeCompare(b.path));
  const files = children.map(({ workspace }) => workspace.files.map(({ path }) => path));
  expect(files).toEqual([[".git/"], ["new.txt", ".git/"]]);
  expect((await w.sous(["changes", "show", "last/S1"])).stdout).toContain("holds what was only staged");
  const applied = await w.sous(["changes", "apply", "last/S2"]);
  expect(applied.stdout, applied.stderr).toContain("1 file still open");
  for (const child of ["last/S1", "last/S2"]) {
    const kept = await w.sous(["changes", "keep", child]);
    expect(kept.stdout, kept.stderr).toMatch(/what else its repository held: .*-rest\); its copy is gone/);
  }
  const all = w.git("rev-list", "--objects", "--no-object-names", "--all").split("\n");
  const contents = all.map((id) => (w.git("cat-file", "-t", id).trim() === "blob" ? w.git("cat-file", "-p", id) : ""));
  for (const work of ["staged-work", "stashed-work"])
    expect(contents.filter((text) => text.includes(work))).toHaveLength(1);
});

test("P.B06, P.B08: whatever a PATH leads to in the workspace, Sous starts none of it for itself", async () => {
  await using w = await project({
    "work it": [
      callsAll(
        call("Write", { file_path: "new.txt", content: "x" }),
        call("Grep", { pattern: "new" }),
        call("Glob", { pattern: "*.txt" }),
        call("Bash", { command: ":" }),
      ),
      says("d"),
    ],
    "the lead": [
      callsAll(spawn("work it", { isolation: "worktree" })),
      calls("child_changes", { action: "show", id: "S1" }),
      calls("child_changes", { action: "keep", id: "S1" }),
      says("ok"),
    ],
  });
  const planted = plantPrograms(w.top);
  const ran = await w.sous([...yolo, "the lead"], { env: { PATH: `${planted.folder}:.:${process.env["PATH"]}` } });
  expect(toolResults(w, "ROOT").at(-1), ran.stderr).toContain("kept as the branch");
  expect(planted.started()).toEqual([]);
});

test("D3, P.I05: what its sandbox does not reach, WebFetch does not fetch for an agent either, nor for those below it", async () => {
  const scripts: Record<string, Step[]> = {};
  await using w = await project(scripts);
  const { port } = new URL(w.env["ANTHROPIC_BASE_URL"] ?? "");
  const fetches = calls("WebFetch", { url: `http://127.0.0.1:${port}/out?secret` });
  scripts["look inside"] = [fetches, says("d")];
  scripts["look alone"] = [fetches, callsAll(spawn("look inside")), says("d")];
  scripts["look online"] = [fetches, says("d")];
  scripts["the lead"] = [
    callsAll(spawn("look alone", { agent: "alone" }), spawn("look online", { agent: "online" })),
    says("ok"),
  ];
  agent(w, "alone", 'isolation: sandbox\nspawns: "*"');
  agent(w, "online", "workspace: {isolation: sandbox, network: true}");
  await w.sous([...yolo, "--trust", "--allow", "WebFetch(domain:127.0.0.1)", "the lead"]);
  expect(toolResults(w, "ROOT::S1")[0]).toContain("its sandbox has no network");
  expect(toolResults(w, "ROOT::S1::S1")[0]).toContain("its sandbox has no network");
  expect(toolResults(w, "ROOT::S2")[0]).toContain("status 404");
});

test("P.I04, P.Z04: no command of an agent speaks as a person to a run, whatever it makes of its environment", async (it) => {
  if (!existsSync("/usr/bin/bwrap")) it.skip("needs bubblewrap");
  const sous = `env -u SOUS_RUN ${sousArgv()
    .map((word) => `'${word}'`)
    .join(" ")}`;
  const tries = ["changes apply last/S1", "send last approved"];
  const answer = `until ${sous} inbox | grep -q item-; do sleep 0.1; done; ${sous} inbox answer "$(${sous} inbox | head -1 | cut -d' ' -f1)" yes`;
  await using w = await project({
    "change it": [calls("Write", { file_path: "one.txt", content: "x" }), says("d")],
    "want more": [calls("Write", { file_path: ".mcp.json", content: "{}" }), says("d")],
    "say yes": [
      callsAll(
        ...[answer, tries.map((words) => `${sous} ${words} &`).join(" ") + " wait"].map((command) =>
          call("Bash", { command }),
        ),
      ),
      says("d"),
    ],
    "the lead": [
      callsAll(spawn("change it", { isolation: "worktree" })),
      callsAll(spawn("want more", { background: true }), spawn("say yes", { background: true })),
      says("waiting"),
    ],
  });
  const ran = await w.sous([...yolo, "--approvals", "inbox", "the lead"], { timeoutMs: 60_000 });
  expect(ran.code, ran.stderr).toBe(4);
  const said = toolResults(w, "ROOT::S3");
  expect(said).toHaveLength(2);
  for (const refused of said) expect(refused).toMatch(/cannot be reached from here|only a person can/);
  expect([".mcp.json", "one.txt"].filter((name) => existsSync(join(w.top, name)))).toEqual([]);
  const types = new Set(journal(w.stateDir).map(({ type }) => type));
  expect(["item.answered", "mode.changed", "budget.changed"].filter((type) => types.has(type as never))).toEqual([]);
  const spoken = journal(w.stateDir).filter((event) => event.type === "input.admitted" && event.from === "person");
  expect(spoken).toHaveLength(1);
}, 60_000);

test.each([
  ["send", "last", "approved"],
  ["interrupt", "last"],
  ["stop", "last"],
  ["fork", "last", "approved"],
  ["background", "last/S1"],
  ["resume", "last", "approved"],
  ["run", "--continue", "approved"],
  ["mode", "last", "yolo"],
  ["budget", "last", "--tokens", "9"],
  ["changes", "apply", "last/S1"],
])("P.I04: sous %s of an agent's own is refused in one line", async (...words) => {
  await using w = await project({ "the lead": [says("ok")] });
  await w.sous([...yolo, "the lead"]);
  const before = journal(w.stateDir).length;
  const refused = await w.sous(words, { env: { SOUS_RUN: "agent-1" } });
  expect(refused.code).toBe(2);
  expect(lines(refused.stderr)).toHaveLength(1);
  expect(refused.stderr).toContain("only a person can");
  expect(journal(w.stateDir)).toHaveLength(before);
});
