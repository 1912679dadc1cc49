// Trust file by file: what has changed since is held back and named, and all else goes on.
import { mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { seededRandom } from "../testing/memory/seeded-random.ts";
import { type TempDir, tempDir } from "../testing/memory/temp-dir.ts";
import { openAgents } from "./agents.ts";
import { actingFiles } from "./config/acting-files.ts";
import { trust } from "./config/trust.ts";
import { openProject } from "./project.ts";
import { commandsOf } from "./script-watch.ts";

function put(dir: TempDir, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(dir.join(name)), { recursive: true });
    writeFileSync(dir.join(name), text);
  }
}

/** A project that a person has trusted as it is. */
async function project(files: Readonly<Record<string, string>>) {
  const dir = await tempDir();
  put(dir, { "home/f": "", "repo/.git/HEAD": "", ...files });
  const [root, stateDir] = [dir.join("repo"), dir.join("state")];
  const env = { HOME: dir.join("home"), XDG_CONFIG_HOME: dir.join("home/.config") };
  const accept = (): void => trust(stateDir, root);
  accept();
  const open = (deny: readonly string[] = []) => {
    const rules = { allow: [], ask: [], deny: deny.map((spec) => ({ tool: "Read", spec })) };
    return openProject(root, { env, stateDir, config: {}, trust: false, rules });
  };
  const agents = async () => {
    const { trusted, heldBack, settings } = open();
    const registry = await openAgents({ cwd: root, env, trusted, heldBack, profiles: settings.profiles });
    const found = await registry.snapshot();
    return {
      ...found,
      names: found.definitions.filter(({ source }) => source.kind === "project").map(({ name }) => name),
    };
  };
  return {
    dir,
    root,
    open,
    agents,
    accept,
    put: (more: Record<string, string>) => put(dir, more),
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

const agent = (words: string, head = "tools: Read"): string => `---\ndescription: d\n${head}\n---\n${words}\n`;
const hook = (command: string) => ({ hooks: { Stop: [{ hooks: [{ type: "command", command }] }] } });
const settings = (...commands: string[]): string =>
  JSON.stringify({ hooks: { Stop: commands.map((command) => ({ hooks: [{ type: "command", command }] })) } });

describe("P.T05: of a trusted project's agents", () => {
  test("one of 107 that has changed is held back with its reason, a new one too, and the others stay", async () => {
    const many = Array.from({ length: 107 }, (_, n) => [
      `repo/.claude/agents/a${n}.md`,
      agent(`words ${"x".repeat(12_000)}`),
    ]);
    await using p = await project(Object.fromEntries(many) as Record<string, string>);
    expect((await p.agents()).names).toHaveLength(107);
    p.put({ "repo/.claude/agents/a7.md": agent("other", "tools: Bash"), "repo/.claude/agents/new.md": agent("new") });
    rmSync(p.dir.join("repo/.claude/agents/a9.md"));
    const { names, notices, heldBack } = await p.agents();
    expect(names).toHaveLength(105);
    expect(names).not.toContain("a7");
    expect(heldBack("a7")).toMatch(/\.claude\/agents\/a7\.md has changed: not used before a person accepts it/);
    expect(notices.join("\n")).toContain(".claude/agents/new.md is new");
    const opened = p.open();
    expect(opened.trusted).toBe(true);
    expect(opened.notices).toEqual([expect.stringMatching(/a7\.md has changed.*new\.md is new.*a9\.md is gone/s)]);
    p.accept();
    expect((await p.agents()).names).toHaveLength(107);
    expect(p.open().notices).toEqual([]);
  });

  test("one whose file is a link to what nobody compares is compared by what it leads to", async () => {
    await using p = await project({ "repo/.claude/agents/memory/x.txt": agent("first") });
    symlinkSync("memory/x.txt", p.dir.join("repo/.claude/agents/linked.md"));
    p.accept();
    expect((await p.agents()).names).toEqual(["linked"]);
    p.put({ "repo/.claude/agents/memory/x.txt": agent("second", "tools: Bash") });
    expect((await p.agents()).names).toEqual([]);
  });
});

describe("P.T05: of a trusted project's settings", () => {
  test("a change is held back, but what the configuration denied when it was trusted stays denied", async () => {
    const config = (more: object) =>
      JSON.stringify({ permissions: { deny: ["Read(secrets/**)"], ask: ["Bash"] }, ...more });
    await using p = await project({
      "repo/.sous/config.json": config({ model: "anthropic/a" }),
      "repo/.claude/settings.json": settings("echo good"),
      "repo/.claude/agents/a.md": agent("a"),
    });
    p.put({
      "repo/.sous/config.json": JSON.stringify({
        model: "anthropic/evil",
        permissions: { allow: ["Bash"] },
        ...hook("evil"),
      }),
    });
    const { settings: now, hooks, notices } = p.open();
    expect(now.model).toBeUndefined();
    expect(now.rules).toEqual({ allow: [], ask: [{ tool: "Bash" }], deny: [{ tool: "Read", spec: "secrets/**" }] });
    expect(commandsOf(hooks)).toEqual(["echo good"]);
    expect(notices.join()).toContain(".sous/config.json has changed");
    expect((await p.agents()).names).toEqual(["a"]);
  });
});

describe("P.T05, P.T06: scripts that trusted hooks and agents name", () => {
  const files = {
    "repo/check.sh": "echo 1",
    "repo/tools/lint.py": "print(1)",
    "repo/make.sh": "pwd",
    "repo/.claude/settings.json": settings(
      "./check.sh",
      'python3 "$CLAUDE_PROJECT_DIR"/tools/lint.py',
      "echo plain",
      "sh late.sh",
    ),
    "repo/.claude/agents/a.md": agent("a", "workspace: {isolation: custom, command: sh make.sh}"),
    "repo/.claude/agents/b.md": agent("b"),
  };

  test("are part of trust: what runs a changed one is held back, and the others stay", async () => {
    await using p = await project(files);
    expect(
      p
        .open()
        .scripts.paths.map((path) => path.slice(p.root.length + 1))
        .toSorted(),
    ).toEqual(["check.sh", "make.sh", "tools/lint.py"]);
    p.put({ "repo/check.sh": "echo evil" });
    expect(commandsOf(p.open().hooks)).toHaveLength(3);
    expect(p.open().notices.join()).toContain("check.sh has changed");
    expect((await p.agents()).names).toEqual(["a", "b"]);
    p.put({ "repo/make.sh": "evil" });
    const { names, heldBack } = await p.agents();
    expect(names).toEqual(["b"]);
    expect(heldBack("a")).toContain("names make.sh, which has changed");
    p.accept();
    expect(commandsOf(p.open().hooks)).toHaveLength(4);
    expect((await p.agents()).names).toEqual(["a", "b"]);
  });

  test("are not run when they change or appear while a session goes on, in a copy neither", async () => {
    await using p = await project(files);
    const { scripts } = p.open();
    mkdirSync(p.dir.join("copy"));
    expect(scripts.problemOf("./check.sh", p.root)).toBeUndefined();
    expect(scripts.problemOf("echo plain", p.root)).toBeUndefined();
    p.put({ "copy/check.sh": "echo evil" });
    expect(scripts.problemOf("./check.sh", p.dir.join("copy"))).toContain("is not what it was");
    p.put({ "copy/check.sh": "echo 1" });
    expect(scripts.problemOf("./check.sh", p.dir.join("copy"))).toBeUndefined();
    expect(scripts.problemOf("sh late.sh", p.root)).toBeUndefined();
    p.put({ "repo/late.sh": "evil", "repo/tools/lint.py": "evil" });
    expect(scripts.problemOf("sh late.sh", p.root)).toContain("is not what it was");
    expect(scripts.problemOf('python3 "$CLAUDE_PROJECT_DIR"/tools/lint.py', p.root)).toContain("is not what it was");
  });
});

describe("P.F04, P.F07: folders of configuration that are links inside the project", () => {
  test.each([".claude", ".claude/agents", ".sous", ".sous/agents"])("%s is not followed, and named", async (name) => {
    await using p = await project({});
    const inner = name.includes("/") ? "" : "agents/";
    p.put({
      [`repo/elsewhere/${inner}x.md`]: agent("x"),
      "repo/elsewhere/settings.json": settings("evil"),
      "repo/elsewhere/config.json": "{}",
    });
    mkdirSync(dirname(p.dir.join("repo", name)), { recursive: true });
    symlinkSync(p.dir.join("repo/elsewhere"), p.dir.join("repo", name));
    p.accept();
    expect(actingFiles(p.root, p.root)[name]?.mark).toContain("a link to");
    const opened = (() => {
      try {
        return commandsOf(p.open().hooks);
      } catch (error) {
        return (error as Error).message;
      }
    })();
    expect(String(opened)).toMatch(name === ".sous" ? /symbolic link/ : /^$/);
    const found = await openAgents({ cwd: p.root, env: { HOME: p.dir.join("home") }, trusted: true }).then((one) =>
      one.snapshot(),
    );
    expect(found.definitions.map((one) => one.name)).not.toContain("x");
    expect(found.problems.map(({ message }) => message)).toContain(
      "it is reached by a link, which is not followed in a project",
    );
  });
});

describe("P.F07: what instruction files import", () => {
  const seeds = Array.from({ length: process.env["SOAK"] ? 500 : 40 }, (_, n) => n + 1);

  test.each(seeds)("seed %i: comes from the project, obeys deny rules, and is part of trust", async (seed) => {
    const random = seededRandom(seed);
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random.next() * all.length)]!;
    await using p = await project({
      "home/key.md": "OUTSIDE",
      "home/.ssh/id": "OUTSIDE",
      "out.md": "OUTSIDE",
      "repo-evil/x.md": "OUTSIDE",
      "repo/docs/fine.md": "FINE",
      "repo/secrets/.env": "DENIED",
      "repo/secrets/é.md": "DENIED",
    });
    const link = (target: string, at: string): void => symlinkSync(target, p.dir.join("repo", at));
    link(p.dir.join("out.md"), "l1.md");
    link("secrets", "l2");
    link("../home", "l3");
    link("l1.md", "l4.md");
    link("loop.md", "loop.md");
    const way = pick([
      "",
      "./",
      "docs/../",
      "docs/../../repo/",
      `${p.root}/`,
      `/proc/self/root${p.root}/`,
      "//".repeat(1),
    ]);
    const targets = [
      "docs/fine.md",
      "secrets/.env",
      "secrets/é.md",
      "secrets/e\u0301.md",
      "SECRETS/.ENV",
      "l1.md",
      "l2/.env",
      "l3/key.md",
      "l4.md",
      "loop.md",
      "../out.md",
      "../repo-evil/x.md",
      "../home/.ssh/id",
      "secrets",
    ];
    const absolute = [
      "~/key.md",
      "~/.ssh/id",
      "~root/x",
      p.dir.join("out.md"),
      `/proc/self/root${p.dir.join("out.md")}`,
      "/etc/hostname",
      "/dev/zero",
      "/proc/self/environ",
    ];
    const words = Array.from({ length: 6 }, () => (random.next() < 0.7 ? `${way}${pick(targets)}` : pick(absolute)));
    p.put({
      "repo/AGENTS.md": `start ${words.map((word) => `@${word}`).join(" ")} end`,
      "repo/CLAUDE.md": "@AGENTS.md",
    });
    p.accept();
    const { instructions } = p.open(["secrets/**"]);
    expect(instructions).toContain("start");
    expect(instructions, words.join(" ")).not.toMatch(/OUTSIDE|DENIED|root:|SHELL=/);
    const reaches = words.some((word) => /(^|\/)docs\/fine\.md$/.test(word) && !word.startsWith("//"));
    expect(instructions.includes("FINE"), words.join(" ")).toBe(reaches);
    expect("docs/fine.md" in actingFiles(p.root, p.root)).toBe(reaches);
  });

  test("one that has changed is left out and named, and the file that imports it stays", async () => {
    await using p = await project({
      "repo/AGENTS.md": "be kind, see @docs/more.md",
      "repo/docs/more.md": "more words",
    });
    expect(p.open().instructions).toContain("be kind, see more words");
    p.put({ "repo/docs/more.md": "evil words" });
    expect(p.open().instructions).toContain("be kind, see @docs/more.md");
    expect(p.open().notices).toEqual([expect.stringContaining("docs/more.md has changed")]);
    p.accept();
    expect(p.open().instructions).toContain("evil words");
  });

  test("one of which an older version kept no record is not called new, and counts once it is accepted", async () => {
    await using p = await project({
      "repo/.claude/agents/a.md": agent("a"),
      "repo/AGENTS.md": "be kind, see @docs/more.md",
      "repo/docs/more.md": "more words",
    });
    const [record] = readdirSync(p.dir.join("state/trust")).map((name) => p.dir.join(`state/trust/${name}`));
    const { root, files } = JSON.parse(readFileSync(record!, "utf8")) as {
      root: string;
      files: Record<string, string>;
    };
    const before = Object.entries(files).filter(([path]) => path.startsWith(".claude/"));
    expect(before).toHaveLength(1);
    writeFileSync(record!, JSON.stringify({ root, files: Object.fromEntries(before) }));
    const { instructions, notices } = p.open();
    expect(instructions).not.toContain("be kind");
    expect(notices.join("\n")).toContain("AGENTS.md was not recorded when you trusted it");
    expect(notices.join("\n")).toContain("docs/more.md was not recorded when you trusted it");
    expect(notices.join("\n")).not.toContain("is new");
    p.accept();
    expect(p.open().instructions).toContain("be kind, see more words");
    // With a record of instructions, what comes later is new.
    p.put({ "repo/CLAUDE.md": "other words" });
    expect(p.open().notices.join("\n")).toContain("CLAUDE.md is new");
  });
});
