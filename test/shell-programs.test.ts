// P.B08: what a command really starts, against what its reading says it starts.
import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readShell } from "../src/core/shell/read-shell.ts";
import { nameOf } from "../src/core/shell/unwrap.ts";
import { seededRandom } from "../src/testing/memory/seeded-random.ts";
import { STUBS, WRAPPERS, shellCommand } from "./shell-generator.ts";

const COUNT = process.env["SOAK"] === "1" ? 10_000 : 500;
const AT_ONCE = 4;
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sous-shell-"));
  mkdirSync(join(folder, "bin"));
  mkdirSync(join(folder, "work"));
  for (const name of STUBS) stub(join(folder, "bin", name), name);
  stub(join(folder, "work", "evil"), "evil");
  for (const name of WRAPPERS)
    for (const place of ["/usr/bin", "/bin"])
      if (existsSync(join(place, name)) && !existsSync(join(folder, "bin", name)))
        symlinkSync(join(place, name), join(folder, "bin", name));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test(`P.B08: of ${COUNT} generated commands every program that really starts was judged`, async () => {
  const random = seededRandom(20_261);
  const commands = Array.from({ length: COUNT }, () =>
    shellCommand((from) => from[Math.floor(random.next() * from.length)]!),
  );
  const unjudged: string[] = [];
  let [certain, started] = [0, 0];
  const queue = commands.entries();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const [n, command] of queue) {
        const { doubt, parts } = readShell(command);
        if (doubt !== undefined) continue;
        certain++;
        const judged = new Set(parts.map((part) => nameOf(part.words[0])));
        for (const program of await programsOf(command, n)) {
          started++;
          if (!judged.has(program)) unjudged.push(`${program} in ${JSON.stringify(command)}`);
        }
      }
    }),
  );
  expect(unjudged).toEqual([]);
  // The test must not pass because everything is in doubt, or nothing ran.
  expect(certain).toBeGreaterThan(COUNT / 4);
  expect(started).toBeGreaterThan(COUNT / 4);
}, 900_000);

/** Runs it in a folder of its own where only stubs and wrappers can be found, and gives what was started. */
function programsOf(command: string, n: number): Promise<string[]> {
  const log = join(folder, `log-${n}`);
  writeFileSync(log, "");
  return new Promise((resolve, reject) => {
    const child = spawn("/bin/bash", ["-c", command], {
      cwd: join(folder, "work"),
      env: { PATH: join(folder, "bin"), LOG: log, HOME: join(folder, "work") },
      stdio: ["ignore", "ignore", "ignore"],
      timeout: 10_000,
      killSignal: "SIGKILL",
    });
    child.on("error", reject);
    child.on("close", () => resolve(readFileSync(log, "utf8").split("\n").filter(Boolean)));
  });
}

function stub(path: string, name: string): void {
  writeFileSync(path, `#!/bin/sh\necho ${name} >> "$LOG"\n`);
  chmodSync(path, 0o755);
}
