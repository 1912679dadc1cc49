// What a command sees that nobody was asked about, while somebody changes what is looked at.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { tempDir } from "../../testing/memory/temp-dir.ts";

const SWAP = `const { linkSync, renameSync } = require("node:fs");
for (;;) for (const from of ["file", "pipe"]) { linkSync(from, "next"); renameSync("next", ".git"); }`;
const LOOK = `const { unaskedView } = await import(process.argv[1]);
const view = { readable: [process.cwd()], programs: [] };
for (const end = Date.now() + 1000; Date.now() < end; ) unaskedView(view, undefined, () => []);`;

test("P.B05: a .git that is swapped for a pipe while it is looked at keeps nobody waiting", async () => {
  await using dir = await tempDir();
  writeFileSync(dir.join("file"), "gitdir: x\n");
  execFileSync("mkfifo", [dir.join("pipe")]);
  const swapping = spawn(process.execPath, ["-e", SWAP], { cwd: dir.path, stdio: "ignore" });
  try {
    const view = new URL("unasked-view.ts", import.meta.url).href;
    const looked = spawnSync(process.execPath, ["--input-type=module", "-e", LOOK, view], {
      ...{ cwd: dir.path, timeout: 10_000, killSignal: "SIGKILL", encoding: "utf8" },
    });
    expect(looked).toMatchObject({ status: 0, stderr: "" });
  } finally {
    swapping.kill("SIGKILL");
  }
}, 20_000);
