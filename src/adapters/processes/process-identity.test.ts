import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync } from "node:fs";
import { expect, test } from "vitest";
import { tempDir } from "../../testing/memory/temp-dir.ts";
import { waitFor } from "../../testing/memory/wait-for.ts";
import { findProgram } from "./find-program.ts";
import { liveness, readStat, thisProcess } from "./process-identity.ts";

test("this process is alive, and always the same one", () => {
  expect(liveness(thisProcess())).toBe("alive");
  expect(thisProcess()).toEqual(thisProcess());
  expect(thisProcess()).toMatchObject({ pid: process.pid, startTime: expect.stringMatching(/^\d+$/) });
});

test("P.P08: the same number with another start time, or from before a boot, is a process that is dead", () => {
  expect(liveness({ ...thisProcess(), startTime: "1" })).toBe("dead");
  expect(liveness({ ...thisProcess(), bootId: "another" })).toBe("dead");
});

test("a number from another pid namespace says nothing", () => {
  expect(liveness({ ...thisProcess(), pidNamespace: "pid:[1]" })).toBe("unknown");
});

test("a process is alive until it has ended, and a zombie has ended", async () => {
  const parent = spawn("sh", ["-c", "sleep 0.2 & echo $!; exec sleep 60"]);
  const [line] = (await once(parent.stdout, "data")) as [Buffer];
  const pid = Number(line.toString());
  const child = { ...thisProcess(), pid, startTime: readStat(pid)?.startTime ?? "" };
  expect(liveness(child)).toBe("alive");
  await waitFor(() => readStat(pid)?.state === "Z");
  expect(liveness(child)).toBe("dead");
  parent.kill("SIGKILL");
  await once(parent, "exit");
  expect(liveness({ ...child, pid: parent.pid! })).toBe("dead");
});

test("a program's name cannot pass for the fields behind it", async () => {
  await using folder = await tempDir();
  const odd = folder.join("x) Z 1 (\ny");
  copyFileSync(findProgram("sleep")!, odd);
  const child = spawn(odd, ["60"]);
  await once(child, "spawn");
  await waitFor(() => readStat(child.pid!)?.state === "S");
  expect(readStat(child.pid!)).toMatchObject({ pid: child.pid, parent: process.pid });
  expect(Number(readStat(child.pid!)?.startTime)).toBeGreaterThanOrEqual(Number(thisProcess().startTime));
  child.kill("SIGKILL");
});

test("an identity from a system without /proc is judged by its number alone", () => {
  const bare = { startTime: "", bootId: "", pidNamespace: "" };
  expect(liveness({ pid: process.pid, ...bare })).toBe("alive");
  expect(liveness({ pid: 2 ** 22 + 1, ...bare })).toBe("dead");
});
