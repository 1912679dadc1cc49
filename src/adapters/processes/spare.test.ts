import { existsSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { tempDir } from "../../testing/memory/temp-dir.ts";
import { createProcesses } from "./create-processes.ts";
import { needs } from "./processes-test-kit.ts";

test("P.T06: what a command is kept from making stays so while it runs, also when another process ends meanwhile", async (it) => {
  await needs(it, "bubblewrap");
  await using dir = await tempDir();
  const spare = { keep: [], bar: [dir.join("home/.claude/agents")], except: [], hide: [] };
  const begin = () => createProcesses({ runMarker: "spare", secretNames: [] });
  const run = (processes: ReturnType<typeof begin>, command: string) => {
    const env = process.env as Record<string, string>;
    const spec = { command, cwd: dir.path, env, timeoutMs: 20_000, spare };
    return processes.run(spec, () => {}, new AbortController().signal);
  };
  const [one, other] = [begin(), begin()];
  await run(one, "true");
  const write =
    "until [ -e go ]; do sleep 0.1; done; mkdir -p home/.claude/agents; echo x > home/.claude/agents/evil.md";
  const late = run(other, `touch begun; ${write}`);
  while (!existsSync(dir.join("begun"))) await sleep(20);
  one.close();
  writeFileSync(dir.join("go"), "");
  expect((await late).code).not.toBe(0);
  expect(existsSync(dir.join("home/.claude/agents/evil.md"))).toBe(false);
  other.close();
});
