// Edits of real runs, taken back: byte for byte, and never over somebody else's work.
import { createHash } from "node:crypto";
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { noRules } from "../core/rules.ts";
import type { SessionId } from "../core/ids.ts";
import { runProcess } from "../testing/memory/run-process.ts";
import { seededRandom } from "../testing/memory/seeded-random.ts";
import { tempDir } from "../testing/memory/temp-dir.ts";
import { call, calls, callsAll, says, type Script } from "../testing/wire-server/script.ts";
import { startWireServer } from "../testing/wire-server/start-wire-server.ts";
import { createFileUndo } from "../adapters/undo/file-undo.ts";
import { listChanges, revertChanges, sessionsWithChanges } from "./changes.ts";
import { createHost } from "./host.ts";

type Files = Record<string, { content: string | Buffer; mode?: number }>;

/** Runs the script on these files and gives the session. */
async function ran(files: Files, script: Script, resume?: { session: SessionId; stateDir: string; cwd: string }) {
  const dir = resume ? undefined : await tempDir();
  const cwd = resume?.cwd ?? dir!.join("work");
  const stateDir = resume?.stateDir ?? dir!.join("state");
  if (dir) onTestFinished(() => dir[Symbol.asyncDispose]());
  mkdirSync(cwd, { recursive: true });
  for (const [path, { content, mode }] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), content);
    if (mode !== undefined) chmodSync(join(cwd, path), mode);
  }
  const before = snapshot(cwd);
  const server = await startWireServer(script);
  const host = createHost({ env: { ...process.env, ...server.env, SOUS_STATE_DIR: stateDir }, version: "0" });
  const live = await host.run({
    prompt: "go",
    cwd,
    model: "anthropic/x",
    mode: "yolo",
    limits: {},
    budget: {},
    rules: noRules,
    addDirs: [],
    trigger: "test",
    ...(resume && { resume: resume.session }),
  });
  const result = await live.result;
  server.finish();
  await server.close();
  const at = (...parts: string[]): string => join(cwd, ...parts);
  return {
    cwd,
    stateDir,
    session: live.session,
    result,
    before,
    at,
    undo: join(stateDir, "trees", live.session, "undo"),
  };
}

/** Every file and folder with its bytes and mode. */
function snapshot(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(folder, { recursive: true }).map(String).sort()) {
    const stat = lstatSync(join(folder, name));
    found[name] =
      `${(stat.mode & 0o7777).toString(8)} ${stat.isFile() ? readFileSync(join(folder, name)).toString("hex") : "folder"}`;
  }
  return found;
}

const edit = (file_path: string, old_string: string, new_string: string) =>
  call("Edit", { file_path, old_string, new_string });
const write = (file_path: string, content: string) => call("Write", { file_path, content });
const read = (file_path: string) => call("Read", { file_path });

describe("a whole run", () => {
  test.each([1, 2, 3])("of 30 random edits is reverted byte for byte (seed %i)", async (seed) => {
    const random = seededRandom(seed);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random.next() * list.length)]!;
    const files: Files = {
      "a.txt": { content: "alpha\nbeta\n", mode: 0o640 },
      "bin/run.sh": { content: "#!/bin/sh\r\necho hi\r\n", mode: 0o4755 },
      "odd.txt": {
        content: Buffer.concat([Buffer.from("start\n"), Buffer.from([0xff, 0x80, 0xfe]), Buffer.from("\nend")]),
        mode: 0o604,
      },
      "empty.txt": { content: "" },
      "untouched.txt": { content: "leave me" },
    };
    const made = ["new.txt", "src/deep/er/one.ts", "src/deep/two.ts", "bin/tool"];
    const known = new Set(["a.txt", "bin/run.sh", "odd.txt", "empty.txt"]);
    const last = new Map<string, string>();
    const steps = Array.from({ length: 30 }, (_, n) => {
      const path = pick([...known, ...made]);
      const token = `<${seed}-${n}>`;
      const old = last.get(path);
      last.set(path, token);
      if (old !== undefined && random.next() < 0.7)
        return calls("Edit", {
          file_path: path,
          old_string: old,
          new_string: random.next() < 0.5 ? token : `${token}\nmore\n`,
        });
      return calls("Write", {
        file_path: path,
        content: `${"x\n".repeat(Math.floor(random.next() * 20))}${token} end`,
      });
    });
    const run = await ran(files, [callsAll(...[...known].map(read)), ...steps, says("done")]);
    expect(run.result.receipt.toolCalls).toMatchObject({ Read: 4 });
    expect((run.result.receipt.toolCalls["Edit"] ?? 0) + (run.result.receipt.toolCalls["Write"] ?? 0)).toBe(30);
    const changes = await listChanges(run.stateDir, run.session);
    expect(changes.files.reduce((sum, file) => sum + file.edits, 0)).toBe(30);
    expect(changes.files.every((file) => file.state === "as left" && !file.mixed)).toBe(true);
    expect(snapshot(run.cwd)).not.toEqual(run.before);

    const done = await revertChanges(run.stateDir, run.session);
    expect(done.reverted.toSorted()).toEqual(changes.files.map((file) => file.path).toSorted());
    expect(snapshot(run.cwd)).toEqual(run.before);
    // What was reverted is no change any more.
    expect((await listChanges(run.stateDir, run.session)).files).toEqual([]);
    expect(await revertChanges(run.stateDir, run.session)).toEqual({ reverted: [], untouched: [] });
  });

  test("only the named files are reverted, and the session can go on afterwards", async () => {
    const files = { "a.txt": { content: "a" }, "b.txt": { content: "b" } };
    const run = await ran(files, [
      callsAll(read("a.txt"), read("b.txt")),
      callsAll(edit("a.txt", "a", "A"), edit("b.txt", "b", "B")),
      says("done"),
    ]);
    expect(await revertChanges(run.stateDir, run.session, { files: ["a.txt"], from: run.cwd })).toMatchObject({
      reverted: [run.at("a.txt")],
    });
    expect([readFileSync(run.at("a.txt"), "utf8"), readFileSync(run.at("b.txt"), "utf8")]).toEqual(["a", "B"]);
    await expect(revertChanges(run.stateDir, run.session, { files: ["c.txt"] })).rejects.toThrow(/not among the files/);
    await ran({}, [callsAll(read("a.txt")), callsAll(edit("a.txt", "a", "again")), says("done")], run);
    expect((await listChanges(run.stateDir, run.session)).files).toMatchObject([
      { path: run.at("b.txt"), mixed: false },
      { path: run.at("a.txt"), mixed: false, state: "as left" },
    ]);
    await revertChanges(run.stateDir, run.session);
    expect(snapshot(run.cwd)).toEqual(run.before);
  });
});

describe("somebody else's work", () => {
  test("changed since: nothing is reverted, and it says which; --force reverts all the same", async () => {
    const files = { "a.txt": { content: "a" }, "b.txt": { content: "b" } };
    const run = await ran(files, [
      callsAll(read("a.txt"), read("b.txt")),
      callsAll(edit("a.txt", "a", "A"), edit("b.txt", "b", "B"), write("n/new.txt", "new")),
      says("done"),
    ]);
    writeFileSync(run.at("b.txt"), "mine");
    const after = snapshot(run.cwd);
    await expect(revertChanges(run.stateDir, run.session)).rejects.toThrow(
      /nothing was reverted.*b\.txt \(changed since\).*--force/,
    );
    expect(snapshot(run.cwd)).toEqual(after);
    expect((await revertChanges(run.stateDir, run.session, { force: true })).reverted).toHaveLength(3);
    expect(snapshot(run.cwd)).toEqual(run.before);
  });

  test("a file that is gone comes back with its bits, when forced", async () => {
    const files = { "tool.sh": { content: "old", mode: 0o4751 } };
    const run = await ran(files, [callsAll(read("tool.sh")), callsAll(edit("tool.sh", "old", "new")), says("done")]);
    rmSync(run.at("tool.sh"));
    await expect(revertChanges(run.stateDir, run.session)).rejects.toThrow(/tool\.sh \(gone\)/);
    await revertChanges(run.stateDir, run.session, { force: true });
    expect(snapshot(run.cwd)).toEqual(run.before);
  });

  test("changed in between two edits: refused as mixed", async () => {
    const run = await ran({ "a.txt": { content: "a\n" } }, [
      callsAll(read("a.txt")),
      callsAll(
        edit("a.txt", "a", "A"),
        call("Bash", { command: "echo formatted >> a.txt" }),
        read("a.txt"),
        edit("a.txt", "A", "AA"),
      ),
      says("done"),
    ]);
    expect((await listChanges(run.stateDir, run.session)).files).toMatchObject([
      { mixed: true, state: "as left", edits: 2 },
    ]);
    await expect(revertChanges(run.stateDir, run.session)).rejects.toThrow(/changed in between/);
    await revertChanges(run.stateDir, run.session, { force: true });
    expect(snapshot(run.cwd)).toEqual(run.before);
  });

  test("a folder that the session made stays when it holds a file of somebody else", async () => {
    const run = await ran({}, [callsAll(write("made/by/us.txt", "x")), says("done")]);
    writeFileSync(run.at("made", "theirs.txt"), "keep");
    await revertChanges(run.stateDir, run.session);
    expect(Object.keys(snapshot(run.cwd))).toEqual(["made", join("made", "theirs.txt")]);
  });
});

describe("after a crash", () => {
  test("an edit whose end was not recorded is listed and reverted if it happened, and not if it did not", async () => {
    const run = await ran({ "a.txt": { content: "a" }, "b.txt": { content: "b" } }, [
      callsAll(read("a.txt"), read("b.txt")),
      callsAll(edit("a.txt", "a", "A"), edit("b.txt", "b", "B")),
      says("done"),
    ]);
    const undo = createFileUndo(run.undo);
    const [a, b] = await undo.notes();
    const sha = (text: string): string => createHash("sha256").update(text).digest("hex");
    await undo.note({ ...a!, before: a!.after, after: sha("happened") });
    await undo.note({ ...b!, before: b!.after, after: sha("never happened") });
    await undo.keep(a!.after!, Buffer.from("A"));
    writeFileSync(run.at("a.txt"), "happened");
    expect((await listChanges(run.stateDir, run.session)).files).toMatchObject([
      { path: run.at("a.txt"), edits: 2, state: "as left", mixed: false },
      { path: run.at("b.txt"), edits: 1, state: "as left" },
    ]);
    await revertChanges(run.stateDir, run.session);
    expect(snapshot(run.cwd)).toEqual(run.before);
  });

  test("an unrecorded edit that a later one builds on is reverted with it", async () => {
    const run = await ran({ "a.txt": { content: "0" } }, [
      callsAll(read("a.txt")),
      callsAll(edit("a.txt", "0", "1")),
      callsAll(edit("a.txt", "1", "2")),
      says("done"),
    ]);
    const journal = join(dirname(run.undo), "journal.jsonl");
    // As if the engine had died between the first write and its record.
    const lines = readFileSync(journal, "utf8").split("\n");
    const first = lines.findIndex((line) => line.includes('"tool.ended"') && line.includes('"files"'));
    lines[first] = lines[first]!.replace('"files"', '"filez"');
    writeFileSync(journal, lines.join("\n"));
    const { files } = await listChanges(run.stateDir, run.session);
    expect(files).toMatchObject([{ edits: 2, mixed: false, state: "as left" }]);
    await revertChanges(run.stateDir, run.session);
    expect(readFileSync(run.at("a.txt"), "utf8")).toBe("0");
  });

  test("old content that is no longer kept is told before anything is touched", async () => {
    const run = await ran({ "a.txt": { content: "a" } }, [
      callsAll(read("a.txt")),
      callsAll(edit("a.txt", "a", "A"), write("new.txt", "n")),
      says("done"),
    ]);
    for (const name of readdirSync(run.undo)) if (/^[0-9a-f]{64}$/.test(name)) rmSync(join(run.undo, name));
    await expect(revertChanges(run.stateDir, run.session)).rejects.toThrow(/old content of .*a\.txt is no longer kept/);
    expect(existsSync(run.at("new.txt"))).toBe(true);
  });
});

describe("sous changes", () => {
  const program = (words: readonly string[]): string => `
    const { changes } = await import(${JSON.stringify(new URL("../surfaces/cli/changes.ts", import.meta.url).href)});
    process.exitCode = await changes(${JSON.stringify(words)}).catch((error) => (process.stderr.write(error.message), 1));`;

  test("lists, shows and reverts, for people and programs", async () => {
    const run = await ran({ "a.txt": { content: "a\n" } }, [
      callsAll(read("a.txt")),
      callsAll(edit("a.txt", "a", "A"), write("new.txt", "n\n")),
      says("done"),
    ]);
    expect(await sessionsWithChanges(run.stateDir, "all")).toEqual([run.session]);
    const sous = (...words: string[]) =>
      runProcess([process.execPath, "--input-type=module", "-e", program(words)], {
        cwd: run.cwd,
        env: { SOUS_STATE_DIR: run.stateDir },
      });
    expect((await sous()).stdout).toBe(`${run.session}  2 files +2 -1  ${run.cwd}\n`);
    expect(JSON.parse((await sous("list", "--json")).stdout)).toMatchObject([
      { session: run.session, files: 2, added: 2, removed: 1, left: 2 },
    ]);
    const shown = (await sous("show", "last")).stdout;
    expect(shown).toContain(
      "changed  +1 -1  a.txt  (1 edit; nobody has touched it since)\ncreated  +1 -0  new.txt  (1 edit; nobody has touched it since)\n",
    );
    expect(shown).toMatch(/^diff --git a\/a\.txt b\/a\.txt\n[\s\S]*^--- a\/a\.txt\n\+\+\+ b\/a\.txt\n@@ /m);
    expect(shown).toMatch(
      /^diff --git a\/new\.txt b\/new\.txt\nnew file mode 100644\n[\s\S]*^--- \/dev\/null\n\+\+\+ b\/new\.txt\n/m,
    );
    const one = (await sous("show", "last", "new.txt")).stdout;
    expect([one.includes("b/new.txt"), one.includes("b/a.txt")]).toEqual([true, false]);
    expect((await sous("show", "last", "--stat")).stdout).not.toContain("diff --git");
    expect((await sous("show", "last", "no.txt")).stderr).toMatch(
      /no\.txt is not among the files this session changed/,
    );
    expect(shown).toContain("What commands (Bash) changed is not listed and not reverted");
    expect(JSON.parse((await sous("show", "last", "--json")).stdout)).toMatchObject({
      files: [{ before: expect.any(String) }, { before: null }],
      diff: expect.stringContaining("diff --git a/a.txt b/a.txt"),
    });
    expect(await sous("show")).toMatchObject({ code: 1, stderr: expect.stringContaining("needs a session") });
    expect(await sous("revrt", "last")).toMatchObject({ stderr: expect.stringContaining("did you mean revert?") });
    expect((await sous("--help")).stdout).toContain("sous changes revert last");
    expect(await sous("revert", "last")).toMatchObject({
      stdout: "",
      stderr: expect.stringMatching(/^sous changes revert would take back 2 files of .*: say --yes .*$/),
    });
    expect((await sous("revert", "last", "--yes")).stdout).toMatch(
      /^reverted a\.txt\nreverted new\.txt\nWhat commands/,
    );
    expect(snapshot(run.cwd)).toEqual(run.before);
    expect((await sous("revert", "last", "--yes")).stdout).toContain("changed no files");
  });
});
