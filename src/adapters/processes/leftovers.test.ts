import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { tempDir } from "../../testing/memory/temp-dir.ts";
import { marksAsVariables } from "./command-environment.ts";
import { registerEngine, sweepLeftovers } from "./leftovers.ts";
import { type ProcessIdentity, readStat, thisProcess } from "./process-identity.ts";
import { runner } from "./processes-test-kit.ts";

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

test("P.P02: what a dead engine left running is ended and reported, once", async () => {
  await using state = await tempDir();
  const engine = deadEngine();
  const left = sleeper(marksAsVariables({ runMarker: "run-1", engine }));
  registerEngine(state.path, { runMarker: "run-1", engine });

  expect(await sweepLeftovers(state.path)).toEqual([{ pid: left.pid, command: "sleep 3600", engine }]);
  expect(isAlive(left)).toBe(false);
  expect(await sweepLeftovers(state.path)).toEqual([]);
  expect(readdirSync(state.join("engines"))).toEqual([]);
});

test("P.P08: a process that only got a dead engine's number is untouched", async () => {
  await using state = await tempDir();
  const stranger = sleeper({});
  const engine = { ...thisProcess(), pid: stranger.pid!, startTime: "1" };
  registerEngine(state.path, { runMarker: "run-1", engine });
  expect(await sweepLeftovers(state.path)).toEqual([]);
  expect(isAlive(stranger)).toBe(true);
});

test("P.P08: the same run, resumed under another engine, is untouched, and so is a run of another name", async () => {
  await using state = await tempDir();
  const engine = deadEngine();
  const resumed = sleeper(marksAsVariables({ runMarker: "run-1", engine: thisProcess() }));
  const other = sleeper(marksAsVariables({ runMarker: "run-11", engine }));
  registerEngine(state.path, { runMarker: "run-1", engine });
  expect(await sweepLeftovers(state.path)).toEqual([]);
  expect([isAlive(resumed), isAlive(other)]).toEqual([true, true]);
});

test("an engine that lives, or lives where we cannot see it, keeps its commands and its note", async () => {
  await using state = await tempDir();
  const elsewhere = { ...deadEngine(), pidNamespace: "pid:[1]" };
  const commands = [thisProcess(), elsewhere].map((engine) => {
    registerEngine(state.path, { runMarker: "run-1", engine });
    return sleeper(marksAsVariables({ runMarker: "run-1", engine }));
  });
  expect(await sweepLeftovers(state.path)).toEqual([]);
  expect(commands.map(isAlive)).toEqual([true, true]);
  expect(readdirSync(state.join("engines"))).toHaveLength(2);
});

test("a note from before the last boot, or one that cannot be read, is taken away and nobody is ended", async () => {
  await using state = await tempDir();
  const engine = { ...deadEngine(), bootId: "another" };
  const command = sleeper(marksAsVariables({ runMarker: "run-1", engine }));
  registerEngine(state.path, { runMarker: "run-1", engine });
  writeFileSync(state.join("engines", "broken.json"), '{"pid": 1');
  writeFileSync(state.join("engines", "odd.json"), '{"pid": "1", "marker": ""}');
  expect(await sweepLeftovers(state.path)).toEqual([]);
  expect(isAlive(command)).toBe(true);
  expect(readdirSync(state.join("engines"))).toEqual([]);
});

test("the sweep spares itself when it runs under a dead engine's marks", async () => {
  await using state = await tempDir();
  const engine = deadEngine();
  registerEngine(state.path, { runMarker: "run-1", engine });
  const program = `
    import { sweepLeftovers } from ${JSON.stringify(new URL("./leftovers.ts", import.meta.url).href)};
    process.stdout.write(JSON.stringify(await sweepLeftovers(${JSON.stringify(state.path)})));
  `;
  const env = { ...process.env, ...marksAsVariables({ runMarker: "run-1", engine }) };
  const swept = spawnSync(process.execPath, ["--input-type=module", "-e", program], { env, encoding: "utf8" });
  expect(swept).toMatchObject({ status: 0, stdout: "[]" });
});

test("a runner notes its engine at its first command, for this user only, and takes the note away when closed", async () => {
  await using state = await tempDir();
  const processes = runner({ stateDir: state.path, strategy: "keeper" });
  expect(existsSync(state.join("engines"))).toBe(false);
  await processes.say("true");
  const [name = ""] = readdirSync(state.join("engines"));
  expect(name).toMatch(new RegExp(`^${process.pid}-${thisProcess().startTime}-[0-9a-f]{8}\\.json$`));
  expect(statSync(state.join("engines")).mode & 0o777).toBe(0o700);
  expect(statSync(state.join("engines", name)).mode & 0o777).toBe(0o600);
  processes.close();
  expect(readdirSync(state.join("engines"))).toEqual([]);
});

test("a folder of notes that is a link is not written through, and the command runs all the same", async () => {
  await using state = await tempDir();
  mkdirSync(state.join("elsewhere"));
  symlinkSync(state.join("elsewhere"), state.join("engines"));
  expect((await runner({ stateDir: state.path, strategy: "keeper" }).say("echo ran")).output).toBe("ran\n");
  expect(readdirSync(state.join("elsewhere"))).toEqual([]);
});

test("where nothing was noted there is nothing to do", async () => {
  expect(await sweepLeftovers("/nonexistent")).toEqual([]);
});

function sleeper(env: Record<string, string>): ChildProcess {
  const child = spawn("sleep", ["3600"], { env: { PATH: process.env.PATH, ...env }, stdio: "ignore", detached: true });
  started.push(child);
  return child;
}

/** A number that was a process of ours until just now. */
function deadEngine(): ProcessIdentity {
  const { pid } = spawnSync("true");
  return { ...thisProcess(), pid, startTime: "1" };
}

const isAlive = (child: ChildProcess): boolean => !["Z", undefined].includes(readStat(child.pid ?? 0)?.state);
