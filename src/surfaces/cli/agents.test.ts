import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { runProcess } from "../../testing/memory/run-process.ts";
import { tempDir, type TempDir } from "../../testing/memory/temp-dir.ts";

const main = resolve(import.meta.dirname, "main.ts");

async function sous(dir: TempDir, ...words: readonly string[]) {
  const env = {
    HOME: dir.join("home"),
    XDG_CONFIG_HOME: undefined,
    XDG_STATE_HOME: undefined,
    SOUS_STATE_DIR: dir.join("state"),
  };
  await mkdir(dir.join("repo/.git"), { recursive: true });
  return runProcess([process.execPath, main, "agents", ...words], { cwd: dir.join("repo"), env });
}

async function put(dir: TempDir, path: string, text: string): Promise<void> {
  await mkdir(dirname(dir.join(path)), { recursive: true });
  await writeFile(dir.join(path), text);
}

describe("sous agents list and show", () => {
  test("B2: say which file won, what it shadows, and what is wrong with file and line", async () => {
    await using dir = await tempDir();
    await put(dir, "home/.claude/agents/scout.md", "---\nname: scout\ndescription: mine\n---\nMine.\n");
    await put(
      dir,
      "repo/.claude/agents/scout.md",
      "---\nname: scout\ndescription: theirs\nmodle: opus\ntools: Read\n---\nTheirs.\n",
    );
    await put(dir, "repo/.claude/agents/bad.md", "---\nname: bad\ndescription: b\ntools: 5\n---\nBad.\n");
    const untrusted = await sous(dir, "list");
    expect(untrusted.stdout).toContain("mine");
    expect(untrusted.stdout).not.toContain("theirs");
    expect(untrusted.stderr).toContain("not loaded: the folder is not trusted");
    const { stdout, code } = await sous(dir, "--trust");
    expect(code).toBe(0);
    expect(stdout).toContain(`from project ${dir.join("repo/.claude/agents/scout.md")}`);
    expect(stdout).toContain(`over user ${dir.join("home/.claude/agents/scout.md")}`);
    expect(stdout).toContain(`scout.md:4: warning: unknown key "modle": did you mean model?`);
    expect(stdout).toContain("cannot be launched: its tools cannot be read: 5 is no list of tools (line 4)");
    const json = JSON.parse((await sous(dir, "list", "--json", "--trust")).stdout);
    expect(json.find(({ name }: { name: string }) => name === "scout")).toMatchObject({
      tools: ["Read"],
      source: { kind: "project", priority: 30 },
      shadows: [{ kind: "user", priority: 20 }],
    });
    const shown = await sous(dir, "show", "SCOUT", "--trust");
    expect(shown.stdout).toMatch(/^scout\nfrom: project [^]*\ntools: Read\n[^]*Theirs\.\n$/);
    const missing = await sous(dir, "show", "scuot");
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("did you mean scout?")]);
  });

  test("B2: an agent that could not be launched is shown so, a profile that asks for nothing more is not warned of", async () => {
    await using dir = await tempDir();
    await put(dir, "repo/.sous/agents/badtool.md", "---\nname: badtool\ndescription: b\ntools: Raed\n---\nBad.\n");
    await put(dir, "repo/.sous/agents/explore.json", '{"model": "haiku", "maxTurns": 8}');
    await put(dir, "repo/.sous/agents/plan.json", '{"tools": ["Read", "Bash"]}');
    const { stdout } = await sous(dir, "list", "--trust");
    expect(stdout).toMatch(/^badtool {19}b\n.*\n {4}cannot be launched: .*Raed/m);
    expect(stdout).toMatch(/badtool\.md:4: error: .*Raed/);
    expect(stdout).not.toMatch(/explore\.json:\d/);
    expect(stdout).toMatch(/plan\.json:1: warning: it has the name of the built-in Plan and stays within/);
    expect(stdout).not.toContain("…");
  });

  test("what --agents has wrong is said at once; notices stand before the list, also in one pipe", async () => {
    await using dir = await tempDir();
    const bad = await sous(dir, "list", "--agents", '{"x": {"prompt": 3}}');
    expect([bad.code, bad.stderr]).toEqual([2, "sous: --agents: the prompt of x is not text\n"]);
    const typo = await sous(dir, "list", "--agents", '{"x": {"prompt": "p", "toools": ["Read"]}}');
    expect(typo.stdout).toMatch(/--agents:\d: error: it has an unknown key "toools": did you mean tools\?/);
    await put(dir, "repo/.sous/agents/a.md", "---\nname: a\ndescription: d\n---\nA.\n");
    const script = `"${process.execPath}" "${main}" agents list 2>&1 | cat`;
    const env = { HOME: dir.join("home"), SOUS_STATE_DIR: dir.join("state") };
    const piped = await runProcess(["sh", "-c", script], { cwd: dir.join("repo"), env });
    expect(piped.stdout.split("\n")[0]).toMatch(/^sous: .*not trusted/);
    expect(piped.stdout.split("\n").slice(1).join("\n")).not.toContain("sous: ");
  });

  test("know --agents and --agent-type", async () => {
    await using dir = await tempDir();
    await put(dir, "repo/t.md", "---\ndescription: typed\n---\nTyped.\n");
    const { stdout } = await sous(
      dir,
      "list",
      "--agents",
      '{"flag": {"description": "flagged", "prompt": "p"}}',
      "--agent-type",
      "typed=t.md",
    );
    expect(stdout).toMatch(/flag +flagged/);
    expect(stdout).toMatch(/typed +typed/);
  });
});

describe("sous agents check", () => {
  test("answers for each file and exits 1 when one is not ok", async () => {
    await using dir = await tempDir();
    await put(
      dir,
      "repo/a/good.md",
      "---\nname: good\ndescription: Triggers on: 'x'\ntools: Read, Grep, mcp__docs\n---\nGood.\n",
    );
    await put(dir, "repo/a/all.md", "---\nname: all\ndescription: d\n---\nAll.\n");
    await put(dir, "repo/a/bad.md", "---\nname: bad\ndescription: d\ntools: [Read\n---\nBad.\n");
    await put(dir, "repo/a/unknown.md", "---\nname: unknown\ndescription: d\ntools: codebase\n---\nBad.\n");
    await put(dir, "repo/a/README.md", "# Agents\n");
    const bad = await sous(dir, "check", "a", "--json");
    expect(bad.code).toBe(1);
    const rows = JSON.parse(bad.stdout) as {
      file: string;
      ok: boolean;
      name: string;
      description: string;
      tools: unknown;
      problems: { line: number; message: string }[];
    }[];
    expect(rows.map(({ file, ok, name, tools }) => [file, ok, name, tools])).toEqual([
      [dir.join("repo/a/all.md"), true, "all", "inherit"],
      [dir.join("repo/a/bad.md"), false, "bad", []],
      [dir.join("repo/a/good.md"), true, "good", ["Read", "Grep", "mcp__docs"]],
      [dir.join("repo/a/unknown.md"), false, "unknown", ["codebase"]],
    ]);
    expect(rows[1]?.problems.at(-1)).toMatchObject({
      line: 4,
      message: expect.stringContaining("tools cannot be read"),
    });
    expect(rows[2]?.description).toBe("Triggers on: 'x'");
    expect((await sous(dir, "check", "a/good.md", "a/all.md")).code).toBe(0);
    expect((await sous(dir, "check", "gone")).code).toBe(2);
    expect((await sous(dir, "check", "a/README.md")).code).toBe(1);
  });
});

describe("sous agents import", () => {
  test("X14: writes ours, tells what is lost, and overwrites nothing", async () => {
    await using dir = await tempDir();
    await put(
      dir,
      "repo/.opencode/agents/review.md",
      "---\ndescription: Reviews\ntop_p: 1\ntools: {write: false}\n---\nReview.\n",
    );
    await put(dir, "repo/codex/judge.toml", 'description = "Judges"\ndeveloper_instructions = "Judge."\n');
    const dry = await sous(dir, "import", ".opencode/agents", "--dry-run");
    expect(dry.stdout).toContain("would be .sous/agents/review.md");
    const { stdout, code } = await sous(dir, "import", ".opencode/agents", "codex/judge.toml");
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        /review\.md is \.sous\/agents\/review\.md\n {4}top_p has no counterpart[^]*judge\.toml is \.sous\/agents\/judge\.md/,
      ),
    ]);
    expect(await readFile(dir.join("repo/.sous/agents/review.md"), "utf8")).toBe(
      '---\nname: review\ndescription: Reviews\ndisallowedTools: ["Write"]\n---\n\nReview.\n',
    );
    expect((await sous(dir, "check", ".sous/agents")).code).toBe(0);
    const again = JSON.parse((await sous(dir, "import", "codex/judge.toml", "--json")).stdout);
    expect(again[0].skipped).toContain("is there already");
  });
});

test("show names the file of an agent that is not trusted and the remedy, as run --agent does", async () => {
  await using dir = await tempDir();
  await put(dir, "repo/.claude/agents/reviewer.md", "---\nname: reviewer\ndescription: d\n---\nReview.\n");
  const { code, stderr } = await sous(dir, "show", "reviewer");
  expect(code).toBe(2);
  expect(stderr).toContain('sous: there is no agent "reviewer": .claude/agents/reviewer.md is not read, because ');
  expect(stderr).toContain("run sous trust, or use --trust for once (sous agents list shows all)");
  expect((await sous(dir, "show", "reviewer", "--trust")).code).toBe(0);
});

test("check tells every mistake in a list of tools, not only the first", async () => {
  await using dir = await tempDir();
  await put(dir, "repo/a.md", "---\nname: a\ndescription: d\ntools: Raed, (x), Bash(git diff:*\n---\nx\n");
  const { code, stdout } = await sous(dir, "check", "a.md");
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /a\.md:4: error: its tools cannot be read: "\(x\)", "Bash\(git diff:\*" are no names of tools/,
  );
  expect(stdout).toMatch(/a\.md:4: error: .*not there: Raed/);
});

test("words that mean nothing are usage errors", async () => {
  await using dir = await tempDir();
  expect((await sous(dir, "lsit")).stderr).toContain("did you mean list?");
  expect((await sous(dir, "check")).code).toBe(2);
  expect((await sous(dir, "--help")).stdout).toContain("import PATH…");
});

test("B4, B15: check and list tell what is wrong with hooks, ways out, spawns, skills and servers, with the line", async () => {
  await using dir = await tempDir();
  const hook = (matcher: string, command: string) => `[{matcher: "${matcher}", hooks: [{command: ${command}}]}]`;
  const agents: Record<string, string> = {
    typo: "hooks:\n  PreToolUze: []",
    matcher: "hooks:\n  PreToolUse: " + hook("[", "true"),
    silent: "hooks:\n  Stop: [{hooks: [{type: command}]}]",
    named: "hooks:\n  PreToolUse: " + hook("Baash|Edit", "./check.sh now"),
    exits: "exitVia: [yield_to_parnt]",
    boss: "spawns: scuot, named, Explore",
    scout: "skills: [pdf]\nmcpServers: [github]",
  };
  for (const [name, more] of Object.entries(agents))
    await put(dir, `repo/.claude/agents/${name}.md`, `---\nname: ${name}\ndescription: d\n${more}\n---\nYou.\n`);
  const { stdout, code, stderr } = await sous(dir, "check", ".claude/agents");
  const errors = [
    `typo.md:4: error: its hooks cannot be used: there is no hook event "PreToolUze"; did you mean PreToolUse?`,
    `matcher.md:4: error: its hooks cannot be used: hooks.PreToolUse[0]: its matcher "[" is no regular expression`,
    `silent.md:4: error: its hooks cannot be used: hooks.Stop[0].hooks[0] needs "command", a text`,
  ];
  const idle = [
    `boss.md:4: warning: spawns names "scuot", and there is no such agent; did you mean scout?`,
    "scout.md:4: warning: skills are read and do nothing yet",
    "scout.md:5: warning: mcpServers are read and do nothing yet",
  ];
  const checked = [
    'exits.md:4: error: exitVia: there is no tool "yield_to_parnt" to end by; did you mean yield_to_parent?',
    "named.md:4: warning: the matcher of PreToolUse names Baash, and there is no such tool; did you mean Bash?",
    "named.md:4: warning: a hook of PreToolUse runs ./check.sh, and there is no such file here",
  ];
  for (const line of [...errors, ...idle, ...checked]) expect(stdout, stderr).toContain(line);
  expect(stdout.match(/: (error|warning): /g)).toHaveLength(9);
  expect([code, stdout.split("\n").at(-2)]).toEqual([1, "7 files, 4 not ok"]);
  const listed = await sous(dir, "list", "--trust");
  for (const line of [...errors, ...idle]) expect(listed.stdout, listed.stderr).toContain(line);
  // What it names beside it counts also where only one file is checked.
  const one = await sous(dir, "check", ".claude/agents/boss.md");
  expect([one.code, one.stdout.match(/spawns names/g)]).toEqual([0, ["spawns names"]]);
});
