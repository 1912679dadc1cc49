// A process swaps the folder for a link as fast as it can while files in it are read, written and listed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { tempDir } from "../../testing/memory/temp-dir.ts";
import { createLocalWorkspace } from "./local-workspace.ts";

const swapper = fileURLToPath(new URL("fixtures/swapper.ts", import.meta.url));
const signal = new AbortController().signal;
const announce = async (): Promise<void> => {};

test("P.F03: a process that swaps the folder for a link 1,000 times has nothing outside read, listed or written", async () => {
  await using dir = await tempDir();
  await using outside = await tempDir();
  await using counter = await tempDir();
  const folder = dir.join("sub");
  mkdirSync(folder);
  writeFileSync(`${folder}/a.txt`, "harmless");
  writeFileSync(outside.join("a.txt"), "a secret");
  writeFileSync(outside.join("name"), "a secret");
  const swaps = (): number => Number(readFileSync(counter.join("n"), "utf8"));
  writeFileSync(counter.join("n"), "0");
  const racing = spawn(process.execPath, [swapper, folder, dir.join("away"), outside.path, counter.join("n")]);
  const exited = once(racing, "exit");
  try {
    await once(racing.stdout, "data");
    const workspace = createLocalWorkspace(dir.path);
    const path = `${folder}/a.txt`;
    const tried = { read: [0, 0], listed: [0, 0], written: [0, 0], made: [0, 0] };
    const note = (kind: keyof typeof tried, ok: boolean): void => void tried[kind][ok ? 0 : 1]!++;
    for (let round = 0; swaps() < 1_000 || round < 20; round++) {
      for (let n = 0; n < 20; n++) {
        const seen = await workspace.readWhole(path, 1_000, signal);
        note("read", seen.ok);
        expect(seen.ok && Buffer.from(seen.bytes).includes("secret")).toBe(false);
        const listed = await workspace.list(folder, [], signal);
        note("listed", listed.ok);
        expect(listed.ok && listed.entries.some(({ name }) => name === "name")).toBe(false);
      }
      const seen = await workspace.readWhole(path, 1_000, signal);
      const over = { path, bytes: Buffer.from(`over ${round}`), announce };
      note("written", (await workspace.write({ ...over, expected: seen.ok ? seen.version.stamp : null })).ok);
      const fresh = { path: `${folder}/new-${round}/f`, bytes: Buffer.from("planted"), expected: null, announce };
      note("made", (await workspace.write(fresh)).ok);
    }
    expect(readFileSync(outside.join("a.txt"), "utf8")).toBe("a secret");
    expect(readdirSync(outside.path)).toEqual(["a.txt", "name"]);
    // It was a race: some reads were won and some lost.
    expect(tried.read[0], JSON.stringify(tried)).toBeGreaterThan(0);
    expect(tried.read[1], JSON.stringify(tried)).toBeGreaterThan(0);
  } finally {
    racing.kill("SIGKILL");
    await exited;
  }
}, 60_000);
