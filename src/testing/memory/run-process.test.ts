import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { runProcess } from "./run-process.ts";
import { tempDir } from "./temp-dir.ts";
import { waitFor } from "./wait-for.ts";

const sh = (script: string): string[] => ["/bin/sh", "-c", script];

test("a program's words, exit code, environment, folder and input come through", async () => {
  await using dir = await tempDir();
  const script = 'cat; echo "$GREETING-${HOME-none}"; pwd; echo oops >&2; exit 3';
  const env = { GREETING: "hi", HOME: undefined };
  const outcome = await runProcess(sh(script), { env, cwd: dir.path, stdin: "in\n" });
  expect(outcome).toEqual({
    code: 3,
    signal: null,
    stdout: `in\nhi-none\n${dir.path}\n`,
    stderr: "oops\n",
    timedOut: false,
  });
});

test("a program is killed at the line the test waits for", async () => {
  const lines: string[] = [];
  const killOn = (line: string): boolean => lines.push(line) === 2;
  const outcome = await runProcess(sh("echo one; echo two; exec sleep 30"), { killOn });
  expect(outcome).toMatchObject({ code: null, signal: "SIGKILL", timedOut: false });
  expect(lines).toEqual(["one", "two"]);
});

test("a program that takes too long is ended with what it started", async () => {
  const outcome = await runProcess(sh("sleep 30 & echo $!; wait"), { timeoutMs: 200 });
  expect(outcome).toMatchObject({ signal: "SIGKILL", timedOut: true });
  const pid = Number(outcome.stdout);
  await waitFor(() => !isRunning(pid), 2_000);
});

test("a program that cannot be started is an error", async () => {
  await expect(runProcess(["/no/such/program"])).rejects.toThrow("ENOENT");
});

test("a temporary folder is gone with its test", async () => {
  let path = "";
  {
    await using dir = await tempDir();
    path = dir.path;
    await writeFile(dir.join("file"), "x");
    expect(existsSync(path)).toBe(true);
  }
  expect(existsSync(path)).toBe(false);
});

test("waiting ends with the first true value, and fails with the last one when the time is over", async () => {
  let tries = 0;
  expect(await waitFor(() => (tries += 1) > 2 && `after ${tries}`)).toBe("after 3");
  await expect(waitFor(() => Promise.reject(new Error("not yet")), 30)).rejects.toThrow(
    "still not so after 30 ms; last: Error: not yet",
  );
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
