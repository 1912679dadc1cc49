// `npm run bench`: the floors and ours side by side in one run. Prints the report, writes it to docs/benchmarks.md, and
// ends with 1 when a bound is missed.
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { judge, type Results } from "./bounds.ts";
import { measureChildren } from "./children.ts";
import { contestants, FLOOR, OURS, type Contestant } from "./contestants.ts";
import type { Expected } from "./expected.ts";
import { figuresOf, LONG } from "./figures.ts";
import { measure, type Sample } from "./measure.ts";
import { startModelServer } from "./model-server.ts";
import { reportOf } from "./report.ts";
import { measureRights } from "./rights.ts";
import { makeWorkspace } from "./workspace.ts";

const ROUNDS = { short: 21, long: 9, fan: 9, wide: 5, chain: 6 };

if (!existsSync("/proc/self/stat")) throw new Error("the bench reads CPU and memory from /proc: run it on Linux");
const loadBefore = loadavg()[0] ?? 0;
const folder = await mkdtemp(join(tmpdir(), "sous-bench-"));
const server = await startModelServer();
try {
  const workspace = await makeWorkspace(join(folder, "workspace"));
  const rights = await measureRights(workspace);
  const setting = { workspace, home: folder, serverEnv: server.env };
  const all = contestants(setting);
  // A user's second start finds compiled code: so does ours.
  for (const { program } of all) await measure(program, { kind: "line", turns: 3 }, server);
  const short = await inTurns(all, { kind: "line", turns: 1 }, ROUNDS.short);
  const long = await inTurns(all, { kind: "line", turns: LONG }, ROUNDS.long);
  const children = await measureChildren(setting, ROUNDS, server, inTurns);

  const results = new Map(all.map(({ name }) => [name, resultsOf(name)]));
  const verdicts = judge(resultsOf(FLOOR), resultsOf(OURS), children, rights);
  const report = reportOf({ results, children, rights }, verdicts, {
    rounds: ROUNDS,
    load: [loadBefore, loadavg()[0] ?? 0],
  });
  await writeFile(join(import.meta.dirname, "..", "docs", "benchmarks.md"), report);
  console.log(report);
  process.exitCode = verdicts.every(({ holds }) => holds) ? 0 : 1;

  function resultsOf(name: string): Results {
    return { short: figuresOf(short.get(name) ?? []), long: figuresOf(long.get(name) ?? []) };
  }
} finally {
  server.close();
  await rm(folder, { recursive: true, force: true });
}

/** Round by round, each contestant once, beginning with another one each time. */
async function inTurns(all: readonly Contestant[], expected: Expected, rounds: number): Promise<Map<string, Sample[]>> {
  const samples = new Map<string, Sample[]>(all.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    if (process.stderr.isTTY) process.stderr.write(`\r${JSON.stringify(expected)}: round ${round + 1} of ${rounds} `);
    const first = round % all.length;
    for (const { name, program } of [...all.slice(first), ...all.slice(0, first)])
      samples.get(name)?.push(await measure(program, expected, server));
  }
  if (process.stderr.isTTY) process.stderr.write("\n");
  return samples;
}
