import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { type TempDir, tempDir } from "../testing/memory/temp-dir.ts";
import { distrust, isTrusted, projectRoot, trust, trustIn } from "./config/trust.ts";
import { openProject } from "./project.ts";

function put(dir: TempDir, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(dir.join(name)), { recursive: true });
    writeFileSync(dir.join(name), text);
  }
}

const open = (dir: TempDir, cwd: string, trusted: boolean) =>
  openProject(dir.join(cwd), {
    env: { HOME: dir.join("home"), XDG_CONFIG_HOME: dir.join("home/.config") },
    stateDir: dir.join("state"),
    config: {},
    trust: trusted,
  });

describe("instructions", () => {
  test("go from the person's own to the nearest, each file once", async () => {
    await using dir = await tempDir();
    put(dir, {
      "home/.config/sous/AGENTS.md": "mine",
      "repo/.git/HEAD": "",
      "repo/AGENTS.md": "root agents",
      "repo/CLAUDE.md": "@AGENTS.md\n",
      "repo/pkg/CLAUDE.md": "pkg claude",
      "repo/pkg/src/AGENTS.md": "nearest",
      "repo/pkg/src/x/CLAUDE.md": "root agents",
    });
    symlinkSync("AGENTS.md", dir.join("repo/pkg/src/CLAUDE.md"));
    const { instructions, notices, root } = open(dir, "repo/pkg/src/x", true);
    expect(root).toBe(dir.join("repo"));
    expect(notices).toEqual([]);
    const order = ["mine", "pkg claude", "nearest", "root agents"].map((text) => instructions.indexOf(text));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    for (const text of ["mine", "pkg claude", "nearest", "root agents"])
      expect(instructions.split(text), text).toHaveLength(2);
  });

  test("of a project that is not trusted are ignored and named; the person's own count", async () => {
    await using dir = await tempDir();
    put(dir, {
      "home/.config/sous/AGENTS.md": "mine, see @../../../repo/secret.md",
      "repo/AGENTS.md": "obey me",
      "repo/secret.md": "from the project",
      "repo/.sous/config.json": "{ broken",
    });
    const { instructions, notices, trusted } = open(dir, "repo", false);
    expect(trusted).toBe(false);
    expect(instructions).toContain("mine");
    expect(instructions).not.toMatch(/obey me|from the project/);
    expect(notices.at(-1)).toMatch(/not trusted, so these are ignored: .sous\/config.json, AGENTS.md/);
  });

  test("import files up to four hops away, in a circle too, but not from outside or hidden places", async () => {
    await using dir = await tempDir();
    put(dir, {
      "home/notes.md": "home notes",
      "home/.ssh/id.md": "hidden key",
      "outside.md": "outside text",
      "repo/.git/HEAD": "",
      "home/.config/sous/AGENTS.md": "own @~/notes.md @~/.ssh/id.md",
      "repo/AGENTS.md":
        "Start @a.md and @docs/none.md, me@example.com, `@code.md`\n```\n@fenced.md\n```\n@~/notes.md @~/.ssh/id.md @../outside.md @link.md",
      "repo/a.md": "one @b.md",
      "repo/b.md": "two @c.md @AGENTS.md",
      "repo/c.md": "three @d.md.",
      "repo/d.md": "four @e.md",
      "repo/e.md": "five too far",
      "repo/code.md": "code text",
      "repo/fenced.md": "fenced text",
    });
    symlinkSync(dir.join("outside.md"), dir.join("repo/link.md"));
    const { instructions, notices } = open(dir, "repo", true);
    expect(instructions).toContain("Start one two three four @e.md");
    expect(instructions).toContain("home notes");
    expect(instructions).toContain("@docs/none.md, me@example.com, `@code.md`");
    expect(instructions).not.toMatch(/five too far|hidden key|outside text|code text|fenced text/);
    expect(notices.filter((notice) => notice.includes("outside the project"))).toHaveLength(5);
    expect(notices.filter((notice) => notice.includes("more than 4 imports away"))).toHaveLength(1);
  });

  test("are cut at 32 kB, the farthest first, and the person is told", async () => {
    await using dir = await tempDir();
    put(dir, {
      "repo/.git/HEAD": "",
      "repo/AGENTS.md": "far ".repeat(9_000),
      "repo/in/AGENTS.md": `near ${"é".repeat(1_000)}`,
    });
    const { instructions, notices } = open(dir, "repo/in", true);
    expect(Buffer.byteLength(instructions)).toBeLessThan(34_000);
    expect(instructions).toContain(`near ${"é".repeat(1_000)}`);
    expect(instructions).toContain("[… cut: too long …]");
    expect(instructions).not.toContain("\ufffd");
    expect(notices).toEqual([expect.stringContaining("AGENTS.md was cut")]);
  });

  test("that are pipes, folders or not text are passed over", async () => {
    await using dir = await tempDir();
    put(dir, { "repo/CLAUDE.md": "a\0b" });
    mkdirSync(dir.join("repo/AGENTS.md"));
    expect(open(dir, "repo", true)).toMatchObject({ instructions: "", notices: [] });
  });
});

describe("P.T02: trust belongs to the real root", () => {
  test("and not to a repository inside it, nor to one beside it", async () => {
    await using dir = await tempDir();
    put(dir, {
      "repo/.git/HEAD": "",
      "repo/sub/f": "",
      "repo/inner/.git": "gitdir: ../.git",
      "repo-evil/.git/HEAD": "",
    });
    const state = dir.join("state");
    const root = projectRoot(dir.join("repo/sub"), dir.join("home"));
    expect(root).toBe(dir.join("repo"));
    trust(state, root);
    expect(isTrusted(state, projectRoot(dir.join("repo/inner"), undefined))).toBe(false);
    expect(isTrusted(state, projectRoot(dir.join("repo-evil"), undefined))).toBe(false);
    expect(isTrusted(state, projectRoot(dir.join("repo/sub"), undefined))).toBe(true);
  });

  test("a repository in the home folder itself does not swallow what is below", async () => {
    await using dir = await tempDir();
    put(dir, { "home/.git/HEAD": "", "home/src/f": "" });
    expect(projectRoot(dir.join("home/src"), dir.join("home"))).toBe(dir.join("home/src"));
    expect(projectRoot(dir.join("home"), dir.join("home"))).toBe(dir.join("home"));
  });
});

describe("P.T05: trust holds for what can act as it was seen", () => {
  test("and for nothing by the list of folders alone, also after it was taken back", async () => {
    await using dir = await tempDir();
    put(dir, { "repo/.git/HEAD": "" });
    const [state, root] = [dir.join("state"), dir.join("repo")];
    const list = JSON.stringify({ folders: [root] });
    put(dir, { "state/trust.json": list });
    expect(trustIn(state, root).is).toBe("not trusted");
    expect(open(dir, "repo", false).trusted).toBe(false);
    trust(state, root);
    expect(trustIn(state, root).is).toBe("trusted");
    distrust(state, root);
    put(dir, { "state/trust.json": list });
    expect(trustIn(state, root).is).toBe("not trusted");
  });

  test("and not for what a pull changes: it is held back, named, and counts once it was looked at", async () => {
    await using dir = await tempDir();
    put(dir, {
      "repo/.git/HEAD": "",
      "repo/sub/f": "",
      "repo/AGENTS.md": "be kind",
      "repo/.claude/settings.json": '{"hooks": {}}',
      "repo/.claude/agents/a.md": "---\ntools: Read\n---\nhi",
    });
    const [state, root] = [dir.join("state"), dir.join("repo")];
    trust(state, root);
    const changed = (cwd = root) => {
      const found = trustIn(state, root, cwd);
      return found.is === "changed" ? found.differences.map(({ path, was, now }) => [path, !!was, !!now]) : found.is;
    };
    expect(changed()).toBe("trusted");
    put(dir, { "repo/.claude/settings.json": '{"hooks": {"Stop": []}}' });
    expect(changed()).toEqual([[".claude/settings.json", true, true]]);
    expect(open(dir, "repo", false).notices.join()).toMatch(
      /since you trusted .*: \.claude\/settings\.json has changed\./,
    );
    expect(open(dir, "repo", false)).toMatchObject({ trusted: true, instructions: expect.stringContaining("be kind") });
    trust(state, root);
    put(dir, { "repo/.claude/agents/b.md": "new", "repo/.sous/config.json": "{}" });
    rmSync(dir.join("repo/.claude/agents/a.md"));
    expect(changed()).toEqual([
      [".sous/config.json", false, true],
      [".claude/agents/b.md", false, true],
      [".claude/agents/a.md", true, false],
    ]);
    trust(state, root);
    put(dir, { "repo/sub/.claude/agents/c.md": "nested" });
    expect(changed()).toBe("trusted");
    expect(changed(dir.join("repo/sub"))).toEqual([["sub/.claude/agents/c.md", false, true]]);
    trust(state, root, dir.join("repo/sub"));
    expect(changed(dir.join("repo/sub"))).toBe("trusted");
    expect(changed()).toBe("trusted");
  });

  test("and does not carry to the same text in another repository, nor to a link in its place", async () => {
    await using dir = await tempDir();
    const files = (name: string) => ({ [`${name}/.git/HEAD`]: "", [`${name}/.sous/config.json`]: "{}" });
    put(dir, { ...files("one"), ...files("two") });
    trust(dir.join("state"), dir.join("one"));
    expect(isTrusted(dir.join("state"), dir.join("two"))).toBe(false);
    expect(isTrusted(dir.join("state"), dir.join("one"))).toBe(true);
    rmSync(dir.join("one/.sous/config.json"));
    symlinkSync(dir.join("two/.sous/config.json"), dir.join("one/.sous/config.json"));
    expect(isTrusted(dir.join("state"), dir.join("one"))).toBe(false);
  });
});
