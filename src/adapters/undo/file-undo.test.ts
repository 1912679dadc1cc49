// What edits replaced is kept once, whole, and for its owner only.
import { createHash } from "node:crypto";
import { appendFileSync, readdirSync, statSync, symlinkSync, writeFileSync, mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { tempDir } from "../../testing/memory/temp-dir.ts";
import { tempName } from "../workspaces/temp-names.ts";
import { clearTemps } from "./clear-temps.ts";
import { createFileUndo } from "./file-undo.ts";

const sha = (text: string): string => createHash("sha256").update(text).digest("hex");
const write = { path: "/w/a", before: null, after: sha("x"), folders: [], temp: "/w/t" };

test("the same content is kept once, under its hash, private under any umask", async () => {
  await using dir = await tempDir();
  const undo = createFileUndo(dir.join("undo"));
  const umask = process.umask(0);
  try {
    await Promise.all(Array.from({ length: 10 }, () => undo.keep(sha("old"), Buffer.from("old"))));
    await undo.note(write);
  } finally {
    process.umask(umask);
  }
  expect(readdirSync(dir.join("undo")).sort()).toEqual([sha("old"), "writes.jsonl"].sort());
  expect(statSync(dir.join("undo")).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(dir.join("undo"))) expect(statSync(dir.join("undo", name)).mode & 0o777).toBe(0o600);
  expect((await undo.content(sha("old")))?.toString()).toBe("old");
  expect(await undo.content("../../etc/passwd")).toBeUndefined();
});

test("a note that a crash cut off loses no other", async () => {
  await using dir = await tempDir();
  const undo = createFileUndo(dir.join("undo"));
  await undo.note(write);
  appendFileSync(dir.join("undo", "writes.jsonl"), '{"path":"/w/ha');
  await undo.note({ ...write, path: "/w/b" });
  expect((await undo.notes()).map(({ path }) => path)).toEqual(["/w/a", "/w/b"]);
});

test("P.F04: a link in place of the folder is refused, and nothing is written through it", async () => {
  await using dir = await tempDir();
  mkdirSync(dir.join("elsewhere"));
  symlinkSync(dir.join("elsewhere"), dir.join("undo"));
  const undo = createFileUndo(dir.join("undo"));
  await expect(undo.keep(sha("old"), Buffer.from("old"))).rejects.toThrow(/not a folder of ours/);
  await expect(undo.note(write)).rejects.toThrow(/not a folder of ours/);
  expect(readdirSync(dir.join("elsewhere"))).toEqual([]);
});

test("what a dead writer left is cleared by its note; what a living one works on, and files of others, are not", async () => {
  await using dir = await tempDir();
  const undo = createFileUndo(dir.join("undo"));
  const living = tempName();
  const dead = living.replace(/^\.sous-write-\d+-\d+/, ".sous-write-999999999-1");
  for (const name of [living, dead, "theirs.tmp"]) {
    writeFileSync(dir.join(name), "");
    await undo.note({ ...write, temp: dir.join(name) });
  }
  await clearTemps(undo);
  expect(readdirSync(dir.path).sort()).toEqual([living, "theirs.tmp", "undo"].sort());
});
