// What Sous and git obey, and agents that would change it: by tool and by command, through the built command.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { needs } from "../src/adapters/processes/processes-test-kit.ts";
import { calls, responder, says } from "../src/testing/wire-server/script.ts";
import { type Call, letRun, placeOf, succeeded } from "./calls-kit.ts";
import { journal, world } from "./e2e-kit.ts";

const FILES = [
  ".sous/config.json",
  ".SOUS/Config.json",
  "sub/.sous/agents/evil.md",
  ".claude/settings.json",
  ".claude/settings.local.json",
  ".claude/agents/evil.md",
  ".claude/commands/evil.md",
  ".mcp.json",
  ".git",
  ".git/config",
  ".git/hooks/pre-commit",
  "door/config.json",
];

test("P.T06: an agent makes none of the files that Sous and git obey, by tool or by command, whatever the mode and the rules for its kind", async () => {
  await using p = await placeOf(({ proj }) => {
    symlinkSync(".sous", `${proj}/door`);
    return [
      ...FILES.map((file_path): Call => ["Write", { file_path, content: "{}" }]),
      ...FILES.filter((path) => path.includes("/") && !path.startsWith("door")).map((path): Call => [
        "Bash",
        { command: `mkdir -p "$(dirname ${path})"; echo '{}' > ${path}` },
      ]),
      ["Bash", { command: "echo '{}' > '.so''us'/config.json" }],
      ["Bash", { command: "cp a .claude/agents/" }],
      ["Bash", { command: "tee .sous/config.json < a" }],
      ["Write", { file_path: ".claude/notes.md", content: "fine" }],
      ["Write", { file_path: ".gitignore", content: "fine" }],
    ];
  });
  writeFileSync(`${p.proj}/a`, "{}");
  const all = ["--mode", "yolo", "--allow", "Edit", "--allow", "Write", "--allow", "Bash", "--allow", "Bash(cp:*)"];
  const { results } = await p.run(...all);
  expect(letRun(results)).toEqual([expect.stringContaining("notes.md"), expect.stringContaining(".gitignore")]);
  expect(results[0]?.said).toContain("changing it needs a yes to exactly this");
  for (const path of FILES) expect(existsSync(`${p.proj}/${path}`), path).toBe(false);
});

test("P.T06: in a person's home its own configuration and state are no agent's to change; a rule for exactly that is a yes", async () => {
  await using p = await placeOf(({ w }) => [
    ["Write", { file_path: `${w.dir.path}/.config/sous/config.json`, content: "{}" }],
    ["Write", { file_path: `${w.stateDir}/trust.json`, content: "{}" }],
    ["Bash", { command: `echo '{}' > ${w.stateDir}/trust.json` }],
    ["Write", { file_path: ".sous/config.json", content: "{}" }],
  ]);
  const home = p.w.dir.path;
  const exact = ["--allow", `Write(/${p.proj}/.sous/config.json)`];
  const { results } = await p.run("--mode", "yolo", "--add-dir", home, ...exact);
  expect(succeeded(results)).toEqual([expect.stringContaining(".sous/config.json")]);
  expect(existsSync(`${home}/.config`)).toBe(false);
  expect(readFileSync(`${p.w.stateDir}/trust.json`, "utf8")).toContain('"folders": []');
});

test("P.T06: a person's agents are no agent's to change where their folder is a link to where it works", async () => {
  await using p = await placeOf(({ w, proj }) => {
    for (const [link, folder] of [
      [".claude/agents", "mine"],
      [".config/sous/agents", "ours"],
    ] as const) {
      mkdirSync(`${proj}/${folder}`, { recursive: true });
      mkdirSync(w.dir.join(link, ".."), { recursive: true });
      symlinkSync(`${proj}/${folder}`, w.dir.join(link));
    }
    return [
      ["Write", { file_path: "mine/evil.md", content: "evil" }],
      ["Write", { file_path: "ours/evil.md", content: "evil" }],
      ["Write", { file_path: "mine.md", content: "fine" }],
    ];
  });
  const { results } = await p.run("--mode", "yolo", "--allow", "Edit");
  expect(succeeded(results)).toEqual([expect.stringContaining("mine.md")]);
  for (const path of ["mine/evil.md", "ours/evil.md"]) expect(existsSync(`${p.proj}/${path}`), path).toBe(false);
});

test("P.T06: a child that is denied cannot make settings that a later start obeys: what appeared is shown and ignored", async () => {
  const script = responder(({ turn, body }) => {
    const first = JSON.stringify((body as { messages: unknown[] }).messages[0]);
    if (first.includes("child task"))
      return turn === 1 ? calls("Write", { file_path: ".claude/settings.json", content: "{}" }) : says("denied");
    // Put together so that no reading finds it: what is left is that it does not count.
    const hidden = "d=.clau; mkdir -p ${d}de; cp evil.json ${d}de/settings.json";
    return turn === 1
      ? calls("spawn_subagent", { prompt: "child task" })
      : turn === 2
        ? calls("Bash", { command: hidden })
        : turn === 3
          ? calls("Bash", { command: "touch ordinary" })
          : says("ok");
  });
  await using w = await world(script);
  const trap = w.dir.join("trapped");
  mkdirSync(w.dir.join(".git"));
  const hooks = { PreToolUse: [{ hooks: [{ type: "command", command: `touch ${trap}` }] }] };
  writeFileSync(w.dir.join("evil.json"), JSON.stringify({ hooks }));
  await w.sous(["trust"]);
  const run = ["run", "--mode", "yolo", "--model", "anthropic/x"];
  const first = await w.sous([...run, "go"]);
  expect(first.code, first.stderr).toBe(0);
  expect(readFileSync(w.dir.join(".claude/settings.json"), "utf8")).toContain("trapped");
  expect(first.stderr).toContain(".claude appeared while a command ran");
  // The running session keeps what it began with,
  expect(existsSync(w.dir.join("ordinary"))).toBe(true);
  expect(existsSync(trap)).toBe(false);
  // and the next one does not obey what nobody has looked at.
  const second = await w.sous([...run, "go"]);
  expect(second.stderr).toContain(".claude/settings.json is new. This does not count");
  expect(existsSync(trap)).toBe(false);
  const refused = journal(w.stateDir).filter(({ type, path }) => type === "tool.ended" && path !== "ROOT");
  expect(JSON.stringify(refused)).toContain("what Sous or git obeys");
});

/** So that no reading finds what it writes. */
const hidden = (path: string): string =>
  `for p in $(echo ${btoa(path)} | base64 -d); do mkdir -p "$(dirname $p)"; echo '{}' >> $p || exit 1; done`;

test("P.T06: a command that no reading finds out changes nothing that is obeyed, and makes nothing of the person's own", async (it) => {
  await needs(it, "bubblewrap");
  const inProject = [".sous/config.json", ".sous/agents/evil.md", ".claude/settings.json", ".git/hooks/pre-commit"];
  const ofPerson = [".config/sous/config.json", ".config/sous/agents/evil.md", ".claude/agents/evil.md"];
  const ofState = ["trust.json", "trust/evil.json", "grants/evil.json", "trees/*/journal.jsonl"];
  const named = "echo asked > .sous/named";
  await using p = await placeOf(({ w }) => {
    const own = [...ofPerson.map((path) => w.dir.join(path)), ...ofState.map((path) => `${w.stateDir}/${path}`)];
    return [
      ...[...inProject, ...own].map((path): Call => ["Bash", { command: hidden(path) }]),
      ["Bash", { command: hidden("ordinary/file") }],
      ["Bash", { command: named }],
    ];
  });
  for (const folder of [".sous", ".claude", ".git/hooks"]) mkdirSync(`${p.proj}/${folder}`, { recursive: true });
  writeFileSync(`${p.proj}/.sous/config.json`, "{}");
  const { results } = await p.run("--mode", "yolo", "--allow", `Bash(${named})`);
  expect(letRun(results)).toHaveLength(results.length);
  expect(results.map(({ outcome }) => outcome.ok)).toEqual(results.map((_, n) => n >= results.length - 2));
  expect(readFileSync(`${p.proj}/.sous/named`, "utf8")).toBe("asked\n");
  expect(readFileSync(`${p.proj}/.sous/config.json`, "utf8")).toBe("{}");
  for (const path of inProject.slice(1)) expect(existsSync(`${p.proj}/${path}`), path).toBe(false);
  for (const path of ofPerson) expect(existsSync(p.w.dir.join(path)), path).toBe(false);
  for (const path of ofState.slice(1, 3)) expect(existsSync(`${p.w.stateDir}/${path}`), path).toBe(false);
  expect(readFileSync(`${p.w.stateDir}/trust.json`, "utf8")).toContain('"folders": []');
  expect(journal(p.w.stateDir).every(({ type }) => type !== undefined)).toBe(true);
});

test("P.T06: a checkout changes what is tracked all the same, and a command that hides it is told why it could not", async (it) => {
  await needs(it, "bubblewrap");
  await using p = await placeOf(({ proj }) => {
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", proj, "-c", "user.name=n", "-c", "user.email=e@x", ...args]);
    git("init", "-q", "-b", "main");
    mkdirSync(`${proj}/.claude/agents`, { recursive: true });
    for (const words of ["old", "new"]) {
      writeFileSync(`${proj}/.claude/agents/a.md`, words);
      git("add", ".");
      git("commit", "-qm", words);
    }
    return [
      ["Bash", { command: "git checkout -q HEAD~1" }],
      ["Bash", { command: hidden(".claude/agents/a.md") }],
      ["Bash", { command: hidden(".git/hooks/post-checkout").replace("mkdir", "git --version; mkdir") }],
    ];
  });
  const { results } = await p.run("--mode", "yolo");
  expect(
    results.map(({ outcome }) => outcome.ok),
    JSON.stringify(results),
  ).toEqual([true, false, false]);
  expect(readFileSync(`${p.proj}/.claude/agents/a.md`, "utf8")).toBe("old");
  expect(results[1]?.said).toContain("is read-only for commands that do not name it");
  expect(existsSync(`${p.proj}/.git/hooks/post-checkout`)).toBe(false);
});
