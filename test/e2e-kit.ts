// The built command as a user runs it, against a scripted wire server: what whole-program tests start from.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Recorded, StreamEvent } from "../src/core/events.ts";
import type { RunResult } from "../src/core/run-result.ts";
import { runProcess, type ProcessOutcome, type RunProcessOptions } from "../src/testing/memory/run-process.ts";
import { type TempDir, tempDir } from "../src/testing/memory/temp-dir.ts";
import type { Script } from "../src/testing/wire-server/script.ts";
import {
  startWireServer,
  type WireServer,
  type WireServerOptions,
} from "../src/testing/wire-server/start-wire-server.ts";

const launcher = fileURLToPath(new URL("../bin/sous.cjs", import.meta.url));
export const sousArgv = (...words: string[]): string[] => [process.execPath, launcher, ...words];

export type World = AsyncDisposable & {
  readonly dir: TempDir;
  readonly server: WireServer;
  readonly env: Readonly<Record<string, string>>;
  readonly stateDir: string;
  sous(words: readonly string[], options?: RunProcessOptions): Promise<ProcessOutcome>;
  /** Started and left running, for signals. */
  start(words: readonly string[]): ChildProcess;
};

/** A folder to work in, a state folder, and a model that follows the script. */
export async function world(script: Script, options: WireServerOptions & { wire?: string } = {}): Promise<World> {
  const dir = await tempDir();
  const server = await startWireServer(script, options);
  const stateDir = dir.join("state");
  const env = { ...server.env, SOUS_STATE_DIR: stateDir };
  const cwd = dir.path;
  return {
    dir,
    server,
    env,
    stateDir,
    sous: (words, more = {}) => runProcess(sousArgv(...words), { cwd, ...more, env: { ...env, ...more.env } }),
    start: (words) => {
      const [command = "", ...rest] = sousArgv(...words);
      return spawn(command, rest, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      await dir[Symbol.asyncDispose]();
    },
  };
}

/** A run in a process of its own, to be reached from others. */
export function background(w: World, ...words: string[]) {
  const child = w.start(words);
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.on("close", (code) => resolve({ code, stdout, stderr })),
  );
  return { child, ended };
}

/** A command that runs until the gate is opened: holds an agent for as long as a test needs it, however busy the machine. */
export const GATE = "until [ -e open ]; do sleep 0.05; done";
export const openGate = (w: World): void => writeFileSync(w.dir.join("open"), "");

export const lines = (stdout: string): string[] => stdout.split("\n").filter((line) => line !== "");
export const eventsOf = (stdout: string): StreamEvent[] => lines(stdout).map((line) => JSON.parse(line) as StreamEvent);
export const durableOf = (stdout: string): Recorded[] =>
  eventsOf(stdout).filter((event): event is Recorded => !("live" in event));
export const resultIn = (stdout: string): RunResult => JSON.parse(lines(stdout).at(-1) ?? "null") as RunResult;

/** The journal's records, straight from its files. */
export function journal(stateDir: string): Recorded[] {
  const trees = join(stateDir, "trees");
  const [tree] = existsSync(trees) ? readdirSync(trees) : [];
  if (!tree) return [];
  const folder = join(trees, tree);
  const segments = readdirSync(folder)
    .filter((name) => /^journal.*\.jsonl$/.test(name))
    .sort();
  return segments.flatMap((name) =>
    lines(readFileSync(join(folder, name), "utf8")).map((line) => JSON.parse(line) as Recorded),
  );
}

/** Processes whose environment carries this text, as the kernel tells. */
export function processesWith(marker: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return (
          readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(marker) ||
          readFileSync(`/proc/${pid}/environ`, "latin1").includes(marker)
        );
      } catch {
        return false;
      }
    })
    .map(Number)
    .filter((pid) => pid !== process.pid);
}
