// What safety costs: judging a call that reads, judging a command, and starting a command that is confined. Measured
// inside one process, with the code that a run calls, after it has warmed up.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createProcesses } from "../src/adapters/processes/create-processes.ts";
import { createLocalWorkspace } from "../src/adapters/workspaces/local-workspace.ts";
import { parseRule, type Rule } from "../src/core/rules.ts";
import { createGuard } from "../src/engine/guard/guard.ts";
import { commandReach } from "../src/engine/tools/command-reach.ts";
import { pathReach } from "../src/engine/tools/path-reach.ts";
import type { Confinement } from "../src/ports/processes.ts";
import { seededRandom } from "../src/testing/memory/seeded-random.ts";
import { shellCommand } from "../test/shell-generator.ts";
import { median, percentile } from "./figures.ts";
import { fileNames } from "./workspace.ts";

const READS = 2_000;
export const COMMANDS = 500;
export const STARTS = 60;
export const RULES = 60;

export type RightsFigures = {
  readonly readMs: number;
  /** The median, and what 99 of 100 stay under when each counts as in its fastest of three rounds. */
  readonly commandMs: number;
  readonly commandMostMs: number;
  /** From the start of `true` in a shell to its end: bare, owned as every command is, unasked, and in a sandbox. */
  readonly start: Readonly<Record<"bareMs" | "ownedMs" | "unaskedMs" | "confinedMs", number>>;
};

export async function measureRights(folder: string): Promise<RightsFigures> {
  const workspace = createLocalWorkspace(folder);
  const guard = createGuard({
    roots: [folder],
    places: { cwd: folder, home: "/nowhere" },
    rules: { allow: rules("Bash(npm run n:*)"), ask: rules("Write(src/n/**)"), deny: rules("Read(secret/n/**)") },
    trusted: true,
    repository: { top: folder },
  });
  const asked = { mode: "confirm", outcomeUnknown: false } as const;
  const readOnce = async (n: number): Promise<void> => {
    const file_path = fileNames[n % fileNames.length] ?? "";
    const reach = await pathReach({ workspace }, "read", file_path);
    if (guard.judge({ ...asked, tool: "Read", input: { file_path }, reach }).is !== "allow")
      throw new Error(`${file_path} was not let be read`);
  };
  const runOnce = async (command: string): Promise<void> => {
    guard.judge({ ...asked, tool: "Bash", input: { command }, reach: [await commandReach(workspace, command)] });
  };
  const random = seededRandom(7);
  const commands = Array.from({ length: COMMANDS }, () =>
    shellCommand((from) => from[Math.floor(random.next() * from.length)]!),
  );
  const reads = Array.from({ length: READS }, (_, n) => n);
  await timed(reads.slice(0, READS / 4), readOnce);
  const readMs = median(await timed(reads, readOnce));
  await timed(commands.slice(0, COMMANDS / 4), runOnce);
  const rounds = [await timed(commands, runOnce), await timed(commands, runOnce), await timed(commands, runOnce)];
  // What one command takes is its own doing only where nothing else happened to come between.
  const fastest = commands.map((_, n) => Math.min(...rounds.map((round) => round[n] ?? NaN)));
  const commandMostMs = percentile(fastest, 0.99);
  return { readMs, commandMs: median(rounds.flat()), commandMostMs, start: await starts(folder) };
}

/** A third of what there is to compare a call with. */
const rules = (like: string): Rule[] =>
  Array.from({ length: RULES / 3 }, (_, n) => parseRule(like.replace(/\bn\b/, `part-${n}`))!);

async function starts(folder: string): Promise<RightsFigures["start"]> {
  const processes = createProcesses({ runMarker: "bench", secretNames: [] });
  const env = { PATH: process.env["PATH"] ?? "" };
  const confine: Confinement = { write: [folder], protect: [], network: false };
  const spec = { command: "true", cwd: folder, env, timeoutMs: 10_000 };
  const never = new AbortController().signal;
  const ways = {
    bareMs: () => once(spawn("bash", ["-c", "true"], { cwd: folder, env, stdio: "ignore" }), "exit"),
    ownedMs: () => processes.run(spec, () => {}, never),
    unaskedMs: () => processes.run({ ...spec, unasked: { readable: [folder] } }, () => {}, never),
    confinedMs: () => processes.run({ ...spec, confine }, () => {}, never),
  };
  const times: Record<keyof typeof ways, number[]> = { bareMs: [], ownedMs: [], unaskedMs: [], confinedMs: [] };
  // In turns, so that a busy machine slows all of them.
  for (let round = 0; round < STARTS; round++)
    for (const way of Object.keys(ways) as (keyof typeof ways)[]) times[way].push(...(await timed([0], ways[way])));
  processes.close();
  return {
    bareMs: median(times.bareMs),
    ownedMs: median(times.ownedMs),
    unaskedMs: median(times.unaskedMs),
    confinedMs: median(times.confinedMs),
  };
}

async function timed<T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (const one of all) {
    const began = performance.now();
    await work(one);
    times.push(performance.now() - began);
  }
  return times;
}
