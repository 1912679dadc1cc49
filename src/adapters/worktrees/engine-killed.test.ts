// Programs that the engine starts for itself do not outlive it.
import { execFileSync, spawn } from "node:child_process";
import { readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { tempDir } from "../../testing/memory/temp-dir.ts";

/** The processes that work in a folder, as the kernel tells. */
const workingIn = (folder: string): string[] =>
  readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      return false;
    }
  });

test("X8, P.P02: git that waits for ever on a pipe ends with an engine that is killed", async () => {
  await using dir = await tempDir();
  execFileSync("git", ["init", "-q"], { cwd: dir.path });
  execFileSync("mkfifo", [dir.join(".gitignore")]);
  writeFileSync(dir.join("a.txt"), "a");
  const call = { args: ["status"], cwd: dir.path, gitDir: dir.join(".git"), workTree: dir.path };
  const script = `import { runGit } from ${JSON.stringify(new URL("./run-git.ts", import.meta.url).pathname)}; await runGit(${JSON.stringify(call)});`;
  const engine = spawn(process.execPath, ["--input-type=module", "-e", script], { cwd: "/", stdio: "ignore" });
  await expect.poll(() => workingIn(dir.path).length, { timeout: 10_000 }).toBe(1);
  engine.kill("SIGKILL");
  await expect.poll(() => workingIn(dir.path), { timeout: 5_000 }).toEqual([]);
});
