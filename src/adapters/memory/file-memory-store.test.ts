import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync, existsSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { runProcess } from "../../testing/memory/run-process.ts";
import { tempDir } from "../../testing/memory/temp-dir.ts";
import { fileMemoryStore } from "./file-memory-store.ts";

test("B9: a memory is made when it is absent, for its owner only, and read when it is there", async () => {
  await using dir = await tempDir();
  const path = dir.join("home/.claude/agents/scout/memory/MEMORY.md");
  expect(await fileMemoryStore.open({ path })).toMatchObject({ ok: true, path, text: "" });
  expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777]).toEqual(["", 0o600]);
  writeFileSync(path, "note");
  expect(await fileMemoryStore.open({ path })).toMatchObject({
    text: "note",
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test("B9: a person's own folders may be links: the real path is the memory's", async () => {
  await using dir = await tempDir();
  mkdirSync(dir.join("dotfiles"));
  symlinkSync(dir.join("dotfiles"), dir.join(".claude"));
  const opened = await fileMemoryStore.open({ path: dir.join(".claude/agent-memory/a/MEMORY.md") });
  expect(opened).toMatchObject({ ok: true, path: dir.join("dotfiles/agent-memory/a/MEMORY.md") });
});

test.each([".claude", ".claude/agent-memory", ".claude/agent-memory/a"])(
  "B9: in a project no link at %s leads out of it, and nothing is made behind it",
  async (link) => {
    await using dir = await tempDir();
    const root = dir.join("project");
    mkdirSync(dirname(dir.join("project", link)), { recursive: true });
    mkdirSync(dir.join("outside"));
    symlinkSync(dir.join("outside"), dir.join("project", link));
    const opened = await fileMemoryStore.open({
      path: dir.join("project/.claude/agent-memory/a/MEMORY.md"),
      within: root,
    });
    expect(opened).toEqual({ ok: false, problem: "it is behind a link that leads out of the project" });
    expect(statSync(dir.join("outside")).nlink).toBe(2);
    expect(existsSync(dir.join("outside/MEMORY.md"))).toBe(false);
  },
);

test.each(["symbolic link", "dangling link", "pipe", "folder"])("B9: a memory that is a %s is none", async (what) => {
  await using dir = await tempDir();
  const path = dir.join("MEMORY.md");
  writeFileSync(dir.join("secret"), "secret");
  if (what === "folder") mkdirSync(path);
  if (what === "pipe") await runProcess(["mkfifo", path], {});
  if (what === "symbolic link") symlinkSync(dir.join("secret"), path);
  if (what === "dangling link") symlinkSync(dir.join("new"), path);
  expect(await fileMemoryStore.open({ path })).toEqual({ ok: false, problem: expect.any(String) });
  expect(existsSync(dir.join("new"))).toBe(false);
});

test("B9: one that is too long to be read whole is shown from its beginning, as not seen", async () => {
  await using dir = await tempDir();
  writeFileSync(dir.join("MEMORY.md"), "x".repeat(2 * 1024 * 1024));
  const opened = await fileMemoryStore.open({ path: dir.join("MEMORY.md") });
  expect(opened).not.toHaveProperty("hash");
  expect(opened).toMatchObject({ ok: true, text: expect.stringMatching(/^x+$/) });
});
