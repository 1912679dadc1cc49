// Files are replaced at once or not at all: killed, out of space or raced at every step.
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { runProcess } from "../../testing/memory/run-process.ts";
import { tempDir } from "../../testing/memory/temp-dir.ts";
import { findProgram } from "../processes/find-program.ts";
import { createLocalWorkspace } from "./local-workspace.ts";
import { replaceFile, type ReplaceOptions, type WriteStep } from "./replace-file.ts";

const writer = fileURLToPath(new URL("fixtures/writer.ts", import.meta.url));
const steps: readonly WriteStep[] = [
  "announced",
  "folders",
  "temp",
  "half",
  "written",
  "mode",
  "synced",
  "named",
  "ended",
];
const ODD_MODE = 0o4751;
const signal = new AbortController().signal;

async function replace(path: string, bytes: Buffer, options: ReplaceOptions = {}) {
  const now = await createLocalWorkspace("/").readWhole(path, 64 * 1024 * 1024, signal);
  const expected = now.ok ? now.version.stamp : null;
  return replaceFile({ path, bytes, expected, announce: async () => {} }, options);
}

const strays = (folder: string): string[] => readdirSync(folder).filter((name) => name.includes("sous-write"));

describe("P.F06: a 5 MB file with odd mode bits", () => {
  const [old, fresh] = [randomBytes(5 * 1024 * 1024), randomBytes(5 * 1024 * 1024)];

  test.each(steps)(
    "killed after “%s”: wholly old or wholly new, mode kept, and the next write leaves no stray file",
    async (step) => {
      await using dir = await tempDir();
      const folder = dir.join("work");
      mkdirSync(folder);
      const path = dir.join("work", "file.bin");
      writeFileSync(path, old);
      chmodSync(path, ODD_MODE);
      writeFileSync(dir.join("fresh"), fresh);
      const ended = await runProcess([process.execPath, writer, path, dir.join("fresh"), step]);
      expect(ended.signal, ended.stderr).toBe("SIGKILL");
      const isNew = steps.indexOf(step) >= steps.indexOf("named");
      expect(readFileSync(path).equals(isNew ? fresh : old)).toBe(true);
      expect(statSync(path).mode & 0o7777).toBe(ODD_MODE);
      expect(await replace(dir.join("work", "other.txt"), Buffer.from("x"))).toMatchObject({ ok: true });
      expect(readdirSync(folder).sort()).toEqual(["file.bin", "other.txt"]);
    },
  );

  test.each(steps.slice(0, 7))("no space after “%s”: wholly old, mode kept, no stray file, and told", async (step) => {
    await using dir = await tempDir();
    const path = dir.join("file.bin");
    writeFileSync(path, old);
    chmodSync(path, ODD_MODE);
    const full = (done: WriteStep): void => {
      if (done === step) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
    };
    const written = await replace(path, fresh, { step: full });
    expect(written).toMatchObject({
      ok: false,
      stale: false,
      problem: expect.stringMatching(/no space.*nothing was changed/),
    });
    expect(readFileSync(path).equals(old)).toBe(true);
    expect(statSync(path).mode & 0o7777).toBe(ODD_MODE);
    expect(readdirSync(dir.path)).toEqual(["file.bin"]);
  });

  test("a disk that is really full: wholly old, no stray file", async ({ skip }) => {
    const bwrap = findProgram("bwrap") ?? skip("bubblewrap is not installed");
    await using dir = await tempDir();
    writeFileSync(dir.join("old"), old);
    writeFileSync(dir.join("fresh"), fresh);
    mkdirSync(dir.join("small"));
    const path = dir.join("small", "file.bin");
    const script = `cp "$1" "$3" && chmod 4751 "$3" && "$5" "$4" "$3" "$2"; cmp "$1" "$3" && stat -c %a "$3" && ls -A "$(dirname "$3")"`;
    const ended = await runProcess([
      bwrap,
      "--dev-bind",
      "/",
      "/",
      "--size",
      String(8 * 1024 * 1024),
      "--tmpfs",
      dir.join("small"),
      "bash",
      "-c",
      script,
      "-",
      dir.join("old"),
      dir.join("fresh"),
      path,
      writer,
      process.execPath,
    ]);
    expect(ended.stdout, ended.stderr).toMatch(/no space is left.*\n4751\nfile\.bin\n$/);
  });

  test("a writer that still lives keeps its temporary file", async () => {
    await using dir = await tempDir();
    const path = dir.join("file.txt");
    const during = async (): Promise<string[]> => {
      await replace(dir.join("other.txt"), Buffer.from("x"));
      return strays(dir.path);
    };
    let seen: Promise<string[]> | undefined;
    await replace(path, Buffer.from("new"), { step: (done) => void (done === "temp" && (seen = during())) });
    await seen;
    expect(readFileSync(path, "utf8")).toBe("new");
    expect(strays(dir.path)).toEqual([]);
  });
});

describe("replacing", () => {
  test("a file that appears, changes or goes between question and write is left alone", async () => {
    await using dir = await tempDir();
    const path = dir.join("f");
    const at = (act: () => void) => ({ step: (done: WriteStep): void => void (done === "synced" && act()) });
    expect(
      await replace(
        path,
        Buffer.from("mine"),
        at(() => writeFileSync(path, "theirs")),
      ),
    ).toMatchObject({ ok: false, stale: true });
    expect(readFileSync(path, "utf8")).toBe("theirs");
    expect(
      await replace(
        path,
        Buffer.from("mine"),
        at(() => writeFileSync(path, "again!")),
      ),
    ).toMatchObject({ ok: false, stale: true });
    expect(readFileSync(path, "utf8")).toBe("again!");
    expect(readdirSync(dir.path)).toEqual(["f"]);
  });

  test("folders that were made for a write that failed are gone again", async () => {
    await using dir = await tempDir();
    const full = (done: WriteStep): void => {
      if (done === "written") throw Object.assign(new Error("no space"), { code: "ENOSPC" });
    };
    expect(await replace(dir.join("a", "b", "f"), Buffer.from("x"), { step: full })).toMatchObject({ ok: false });
    expect(existsSync(dir.join("a"))).toBe(false);
  });

  test("nothing is touched when the announcement fails", async () => {
    await using dir = await tempDir();
    const order = { path: dir.join("a", "f"), bytes: Buffer.from("x"), expected: null };
    const announce = async (): Promise<void> => Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" }));
    expect(await replaceFile({ ...order, announce })).toMatchObject({ ok: false });
    expect(readdirSync(dir.path)).toEqual([]);
  });

  test("a private file is never open to others while it is put together", async () => {
    await using dir = await tempDir();
    const path = dir.join("secret");
    writeFileSync(path, "old", { mode: 0o600 });
    const modes: number[] = [];
    const look = (): void => {
      for (const name of strays(dir.path)) modes.push(statSync(dir.join(name)).mode & 0o777);
    };
    const umask = process.umask(0);
    try {
      await replace(path, Buffer.from("new"), { step: look });
    } finally {
      process.umask(umask);
    }
    expect(modes.length).toBeGreaterThan(3);
    expect(modes.every((mode) => mode === 0o600)).toBe(true);
  });

  test("a read-only file is refused; to root, who may write it, its bits are kept", async () => {
    await using dir = await tempDir();
    writeFileSync(dir.join("ro"), "old");
    chmodSync(dir.join("ro"), 0o444);
    const written = await replace(dir.join("ro"), Buffer.from("new"));
    const isRoot = process.getuid?.() === 0;
    expect(written).toMatchObject(isRoot ? { ok: true } : { ok: false, problem: "is read-only" });
    expect(statSync(dir.join("ro")).mode & 0o7777).toBe(0o444);
  });
});
