// A real engine, killed with SIGKILL while its commands run: nothing may outlive it, and nobody is left to clean up.
import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { tempDir } from "../../testing/memory/temp-dir.ts";
import { waitFor } from "../../testing/memory/wait-for.ts";
import type { Confinement } from "../../ports/processes.ts";
import { findProgram } from "./find-program.ts";
import { sweepLeftovers } from "./leftovers.ts";
import { needs, running, sleeping, strategies, uniqueSeconds } from "./processes-test-kit.ts";
import type { Ownership } from "./strategy.ts";

const engines: ChildProcess[] = [];
afterEach(() => {
  for (const engine of engines.splice(0)) engine.kill("SIGKILL");
});

describe.each(strategies)("P.P02: an engine that owns its commands by %s", (strategy) => {
  test("and is killed leaves none of their processes after 5 s, however detached", async (it) => {
    await needs(it, strategy);
    await using folder = await tempDir();
    const seconds = uniqueSeconds();
    const engine = startEngine(strategy, folder.path, [
      `sleep ${seconds} & sleep ${seconds}`,
      `setsid sleep ${seconds}; :`,
      `nohup sleep ${seconds} & wait`,
      `( (setsid nohup sleep ${seconds} &) & ); trap '' TERM HUP INT; sleep ${seconds}`,
      `exec >&- 2>&-; setsid sh -c 'trap "" TERM HUP; sleep ${seconds}; :'; :`,
    ]);
    await waitFor(() => sleeping(seconds).length === 7, 15_000);
    engine.kill("SIGKILL");
    await waitFor(() => running(seconds).length === 0, 5_000);

    expect(readdirSync(folder.join("engines"))).toHaveLength(1);
    expect(await sweepLeftovers(folder.path)).toEqual([]);
    expect(readdirSync(folder.join("engines"))).toEqual([]);
  });

  test("and is killed in the instant it starts them leaves none either", async () => {
    await using folder = await tempDir();
    const delays = process.env.SOAK === "1" ? Array.from({ length: 60 }, (_, n) => n) : [0, 6, 15, 30];
    const left = await Promise.all(
      delays.map(async (ms) => {
        const seconds = uniqueSeconds();
        const engine = startEngine(strategy, folder.path, Array(3).fill(`setsid sleep ${seconds} & sleep ${seconds}`));
        await up(engine);
        await sleep(ms);
        engine.kill("SIGKILL");
        await sleep(500);
        return waitFor(() => running(seconds).length === 0, 4_500).then(
          () => 0,
          () => running(seconds).length,
        );
      }),
    );
    expect(left).toEqual(delays.map(() => 0));
  });
});

test("P.P02, D3: an engine that is killed leaves nothing of a command that may reach some domains, nor of what leads there", async (it) => {
  await needs(it, "bubblewrap");
  it.skip(!findProgram("socat"), "needs socat");
  await using folder = await tempDir();
  const seconds = uniqueSeconds();
  const confine: Confinement = { write: [folder.path], protect: [], network: ["localhost"] };
  const commands = [`( (setsid nohup sleep ${seconds} &) & ); trap '' TERM HUP INT; sleep ${seconds}`];
  const engine = startEngine("bubblewrap", folder.path, commands, confine);
  await waitFor(() => sleeping(seconds).length === 2, 15_000);
  const relays = (): number[] => running("sous-egress-");
  expect(relays().length).toBeGreaterThan(0);
  engine.kill("SIGKILL");
  await waitFor(() => running(seconds).length + relays().length === 0, 5_000);
});

function startEngine(
  strategy: Ownership,
  stateDir: string,
  commands: readonly string[],
  confine?: Confinement,
): ChildProcess {
  const program = `
    import { createProcesses } from ${JSON.stringify(new URL("./create-processes.ts", import.meta.url).href)};
    const { strategy, stateDir, commands, confine } = JSON.parse(process.env.ENGINE);
    delete process.env.ENGINE;
    const processes = createProcesses({ runMarker: "run-killed", secretNames: [], strategy, stateDir });
    process.stdout.write("up\\n");
    for (const command of commands)
      processes.run({ command, cwd: "/", env: process.env, timeoutMs: 600_000, confine }, () => {}, new AbortController().signal);
  `;
  const env = { ...process.env, ENGINE: JSON.stringify({ strategy, stateDir, commands, confine }) };
  const args = ["--input-type=module", "-e", program];
  const engine = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  engines.push(engine);
  return engine;
}

const up = (engine: ChildProcess): Promise<unknown> => new Promise((resolve) => engine.stdout?.once("data", resolve));
