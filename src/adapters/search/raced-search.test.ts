// A process swaps a folder below the searched one for a link as fast as it can, while files are searched and listed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { tempDir } from "../../testing/memory/temp-dir.ts";
import { createRipgrep } from "./ripgrep.ts";

const swapper = fileURLToPath(new URL("../workspaces/fixtures/swapper.ts", import.meta.url));
const signal = new AbortController().signal;
const around = { before: 0, after: 0, lineNumbers: true, ignoreCase: false, multiline: false };

test("P.F03: a process that swaps folders for links below a search has no line and no name from outside found", async () => {
  await using dir = await tempDir();
  await using outside = await tempDir();
  await using counter = await tempDir();
  mkdirSync(dir.join("project/sub"), { recursive: true });
  for (let n = 0; n < 30; n++) {
    writeFileSync(dir.join(`project/sub/f${n}.txt`), "harmless word\n");
    writeFileSync(outside.join(`f${n}.txt`), "secret word\n");
    writeFileSync(outside.join(`name${n}.txt`), "secret word\n");
  }
  writeFileSync(counter.join("n"), "0");
  const root = dir.join("project");
  const racing = spawn(process.execPath, [
    swapper,
    dir.join("project/sub"),
    dir.join("away"),
    outside.path,
    counter.join("n"),
  ]);
  const exited = once(racing, "exit");
  const search = createRipgrep();
  const seen = { lines: 0, names: 0 };
  const grep = async (pattern: string, select: { path?: string }, at = root): Promise<void> => {
    const query = { root: at, select, most: 500, pattern, mode: "content", ...around } as const;
    const found = await search.grep(query, signal);
    if (!found.ok) return;
    seen.lines += found.lines.length;
    expect(found.lines.filter(({ text }) => text.includes("secret"))).toEqual([]);
  };
  try {
    await once(racing.stdout, "data");
    const swaps = (): number => Number(readFileSync(counter.join("n"), "utf8"));
    while (swaps() < 1_000 || seen.lines < 100 || seen.names < 100) {
      await grep("word", {});
      await grep("word", { path: "sub/*.txt" });
      await grep("word", {}, dir.join("project/sub/f1.txt"));
      const listed = await search.files({ root, select: {}, most: 500 }, signal);
      if (!listed.ok) continue;
      seen.names += listed.lines.length;
      expect(listed.lines.filter(({ path = "" }) => path.includes("name"))).toEqual([]);
    }
  } finally {
    racing.kill("SIGKILL");
    await exited;
  }
}, 60_000);
