// What a person is told when a run did not do all that its words say: refused and failed calls, and waiting copies.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { calls, says } from "../src/testing/wire-server/script.ts";
import { lines, world } from "./e2e-kit.ts";

const x = ["run", "-m", "anthropic/x"];

test("a refused call is named with why and the flag that would allow it, three at most", async () => {
  const run = (command: string) => calls("Bash", { command });
  await using w = await world([...["touch 'it'", "touch b", "touch c", "touch d"].map(run), says("nothing to say")]);
  const ran = await w.sous([...x, "go"]);
  expect(ran.code).toBe(0);
  const why = (name: string) => `no rule covers ${name}, and nobody is there to ask; --allow`;
  expect(lines(ran.stderr)).toEqual([
    String.raw`sous: note: refused: Bash touch 'it': ${why("touch 'it'")} 'Bash(touch '\''it'\'')' would allow it`,
    `sous: note: refused: Bash touch b: ${why("touch b")} 'Bash(touch b)' would allow it`,
    `sous: note: refused: Bash touch c: ${why("touch c")} 'Bash(touch c)' would allow it`,
    "sous: note: 1 more tool call refused: see the transcript",
  ]);
});

test("a report that claims work whose only writing call was refused, or failed, says exactly that, once", async () => {
  const write = (file: string) => calls("Write", { file_path: file, content: "b" });
  await using w = await world([
    write("notes.txt"),
    says("I wrote it."),
    write("taken/x"),
    says("I wrote it."),
    write("ok.txt"),
    says("I wrote it."),
  ]);
  const refused = lines((await w.sous([...x, "go"])).stderr);
  expect(refused).toHaveLength(1);
  expect(refused[0]).toMatch(
    /^sous: note: claims work, but its only call that changes anything was refused: Write notes\.txt: .*; --allow 'Write\(.*notes\.txt\)' would allow it$/,
  );
  writeFileSync(w.dir.join("taken"), "a file");
  const failed = lines((await w.sous([...x, "--mode", "yolo", "go"])).stderr);
  expect(failed).toHaveLength(1);
  expect(failed[0]).toMatch(
    /^sous: note: claims work, but its only call that changes anything failed: Write taken\/x: ./,
  );
  expect((await w.sous([...x, "--mode", "yolo", "go"])).stderr).toBe("");
});

test("changes that wait in a copy are one line at the end, with the command that shows them", async () => {
  await using w = await world([
    calls("spawn_subagent", { agent: "builder", prompt: "build", description: "build" }),
    calls("Write", { file_path: "a.txt", content: "a\n" }),
    calls("Write", { file_path: "b.txt", content: "b\n" }),
    says("built"),
    says("all done"),
  ]);
  const repo = w.dir.join("repo");
  mkdirSync(repo);
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: repo });
  git("init", "-q");
  git("commit", "-q", "--allow-empty", "-m", "first");
  const agents = JSON.stringify({ builder: { description: "builds", prompt: "Build.", isolation: "worktree" } });
  const ran = await w.sous([...x, "--mode", "yolo", "--cwd", repo, "--agents", agents, "go"]);
  expect(ran.stdout).toBe("all done\n");
  const said = /^sous: 2 files changed in the copy of ROOT::S1 builder: sous changes show (agent-[\w-]+\/S1)\n$/;
  expect(ran.stderr).toMatch(said);
  const shown = await w.sous(["changes", "show", said.exec(ran.stderr)?.[1] ?? ""]);
  expect(shown.stdout, shown.stderr).toContain("a.txt");
});

test("a name that is almost an alias of a model is not sent as a model", async () => {
  await using w = await world([says("ok")]);
  const ran = await w.sous(["run", "-m", "sonet", "go"]);
  expect(ran).toMatchObject({ code: 2, stdout: "" });
  expect(ran.stderr).toBe(
    'sous: there is no model "sonet"; did you mean sonnet? (written provider/sonet, a name is sent as it is)\n',
  );
  expect((await w.sous(["run", "-m", "anthropic/sonet", "go"])).stdout).toBe("ok\n");
});

test("the offline model as an agent of another model says which one is used, and in the bash protocol what it cannot", async () => {
  await using w = await world([]);
  const agents = JSON.stringify({ reviewer: { description: "reviews", prompt: "Review.", model: "sonnet" } });
  const env = { ANTHROPIC_API_KEY: undefined, OPENAI_API_KEY: undefined, GEMINI_API_KEY: undefined };
  const lead = await w.sous(["run", "--agents", agents, "--agent", "reviewer", "list TODOs"], { env });
  expect(lead.stdout).toMatch(/^I am Sous's built-in offline model/);
  const bash = await w.sous(["run", "-m", "offline", "--protocol", "bash", "list TODOs"]);
  expect(bash.stdout).toContain("leave --protocol bash out");
  expect(bash.stdout).not.toContain("list marks");
});
