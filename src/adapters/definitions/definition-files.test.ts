import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, relative } from "node:path";
import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../testing/memory/temp-dir.ts";
import { definitionFiles } from "./definition-files.ts";

async function put(path: string, text = "---\ndescription: d\n---\nbody"): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
}

describe("B3: definition files below a folder", () => {
  test("are found at any depth; memory, other endings, pipes and links out of the folder are not", async () => {
    await using dir = await tempDir();
    const agents = dir.join("agents");
    for (const file of [
      "a.md",
      "sub/deep/b.MD",
      "c.json",
      "notes.txt",
      ".hidden.md",
      "a/memory/MEMORY.md",
      "memory/m.md",
      "node_modules/n.md",
    ])
      await put(dir.join("agents", file));
    await put(dir.join("outside", "secret.md"));
    await symlink(dir.join("outside", "secret.md"), dir.join("agents", "link.md"));
    await symlink(dir.join("outside"), dir.join("agents", "folder"));
    await symlink(dir.join("agents", "a.md"), dir.join("agents", "inside.md"));
    await symlink(agents, dir.join("agents", "loop"));
    execFileSync("mkfifo", [dir.join("agents", "pipe.md")]);
    const { files, problems } = await definitionFiles.list({ path: agents, endings: [".md"] });
    expect(files.map(({ path }) => relative(agents, path))).toEqual(["a.md", "inside.md", "sub/deep/b.MD"]);
    expect(problems.map(({ file }) => relative(agents, file)).toSorted()).toEqual(["folder", "link.md"]);
  });

  test("a folder may be a link of the person's; a project's may not lead out of the project", async () => {
    await using dir = await tempDir();
    await put(dir.join("dotfiles", "a.md"));
    await mkdir(dir.join("project"));
    await symlink(dir.join("dotfiles"), dir.join("project", "agents"));
    const ask = { path: dir.join("project", "agents"), endings: [".md"] };
    expect((await definitionFiles.list(ask)).files).toHaveLength(1);
    const within = await definitionFiles.list({ ...ask, within: dir.join("project") });
    expect(within).toMatchObject({ files: [], problems: [{ message: expect.stringContaining("out of the project") }] });
  });

  test("are at most 5,000, and it says so", async () => {
    await using dir = await tempDir();
    await mkdir(dir.join("a"));
    await Promise.all(Array.from({ length: 5_010 }, (_, n) => writeFile(dir.join("a", `${n}.md`), "")));
    const { files, problems } = await definitionFiles.list({ path: dir.join("a"), endings: [".md"] });
    expect(files).toHaveLength(5_000);
    expect(problems[0]?.message).toContain("too many files");
  });

  test("of 256 kB and less are read, larger and unreadable ones are said", async () => {
    await using dir = await tempDir();
    expect(await definitionFiles.read(await put(dir.join("fits.md"), "x".repeat(256 * 1024)))).toHaveProperty("text");
    expect(await definitionFiles.read(await put(dir.join("big.md"), "x".repeat(256 * 1024 + 1)))).toMatchObject({
      problem: expect.stringContaining("too large"),
    });
    expect(await definitionFiles.read(dir.join("gone.md"))).toEqual({ problem: "it does not exist" });
    expect(await definitionFiles.read(dir.path)).toHaveProperty("problem");
  });
});

describe("B3: plugins", () => {
  const cache = ".claude/plugins/cache/market";

  test("of the newest version, of the old layout, and by the manifest's agents key", async () => {
    await using home = await tempDir();
    await put(home.join(cache, "lint/1.9.0/agents/old.md"));
    await put(home.join(cache, "lint/1.10.0/agents/new.md"));
    await put(
      home.join(cache, "test/1.0.0/.claude-plugin/plugin.json"),
      JSON.stringify({ name: "tester", agents: ["./roles", "../../../../../outside"] }),
    );
    await put(home.join(cache, "test/1.0.0/roles/x.md"));
    await put(home.join(cache, "test/1.0.0/agents/ignored.md"));
    await put(home.join(".claude/plugins/seed/agents/s.md"));
    await put(home.join(cache, "empty/1.0.0/README.md"));
    const found = await definitionFiles.plugins(home.join(".claude/plugins"), home.path);
    expect(found.map(({ plugin, paths }) => [plugin, ...paths.map((path) => relative(home.path, path))])).toEqual([
      ["seed", ".claude/plugins/seed/agents"],
      ["lint", `${cache}/lint/1.10.0/agents`],
      ["tester", `${cache}/test/1.0.0/roles`],
    ]);
  });

  test("count as installed for this folder and not switched off", async () => {
    await using home = await tempDir();
    for (const plugin of ["on", "off", "elsewhere", "orphan"]) await put(home.join(cache, plugin, "1.0.0/agents/a.md"));
    const entry = (plugin: string, more = {}) => [
      { scope: "user", installPath: `~/${cache}/${plugin}/1.0.0`, ...more },
    ];
    const plugins = {
      "on@market": entry("on"),
      "off@market": entry("off"),
      "elsewhere@market": entry("elsewhere", { projectPath: "/other" }),
    };
    await put(home.join(".claude/plugins/installed_plugins.json"), JSON.stringify({ version: 2, plugins }));
    await put(home.join(".claude/settings.json"), JSON.stringify({ enabledPlugins: { "off@market": false } }));
    const found = await definitionFiles.plugins(home.join(".claude/plugins"), home.path);
    expect(found.map(({ plugin }) => plugin)).toEqual(["on"]);
  });
});
