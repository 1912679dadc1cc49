// The process runner: commands owned by the best strategy that works on this machine. Which one that is shows itself
// at the first command: a strategy that is refused has not started it, so the next one may.
import { stat } from "node:fs/promises";
import type { CommandSpec, Confinement, Exit, Processes } from "../../ports/processes.ts";
import { depthIn } from "../../core/caller.ts";
import { bubblewrap } from "./bubblewrap.ts";
import { commandEnvironment, type Marks } from "./command-environment.ts";
import { findProgram, type FindProgram } from "./find-program.ts";
import { keeper } from "./keeper.ts";
import { registerEngine } from "./leftovers.ts";
import { type OwnedCommand, runOwned } from "./owned-command.ts";
import { thisProcess } from "./process-identity.ts";
import { spareNow } from "./spare.ts";
import { unaskedEnvironment } from "./unasked-environment.ts";
import { limitIn } from "./start-reasons.ts";
import type { Ownership, Strategy } from "./strategy.ts";
import { unshare } from "./unshare.ts";

export type ProcessesOptions = {
  /** Stands in the environment of everything that is started, as SOUS_RUN. */
  readonly runMarker: string;
  /** Variables that no command gets to see: the providers' keys. */
  readonly secretNames: readonly string[];
  /** Where this engine notes itself, for the sweep at a next start. */
  readonly stateDir?: string;
  /** Only this one; else the best that works. */
  readonly strategy?: Ownership;
  readonly find?: FindProgram;
};

/** `close` takes the engine's note away; the commands are ended by their own signals. */
export type OwnedProcesses = Processes & { close(): void };

export function createProcesses(options: ProcessesOptions): OwnedProcesses {
  const { secretNames, stateDir, find = findProgram } = options;
  const { platform } = process;
  const marks: Marks = { runMarker: options.runMarker, engine: thisProcess() };
  const choice: { made?: Strategy; underWay?: Promise<void> | undefined } = {};
  let unregister: (() => void) | undefined;

  const run: Processes["run"] = async (
    { command, cwd, env, timeoutMs, stdin, onStderr, confine, spare, unasked },
    onOutput,
    signal,
  ) => {
    if (signal.aborted) return { code: null, signal: null, ended: "aborted", durationMs: 0 };
    await mustBeFolder(cwd);
    unregister ??= note(stateDir, marks);
    const given = unasked ? unaskedEnvironment(env, unasked.readable) : env;
    const owned: OwnedCommand = {
      shell: [find("bash") ?? "/bin/sh", "-c", command],
      cwd,
      env: commandEnvironment(given, marks, secretNames),
      timeoutMs,
      signal,
      onOutput,
      onReady() {},
      ...(stdin !== undefined && { stdin }),
      ...(onStderr && { onStderr }),
      bounds: {
        depth: depthIn(env) || 1,
        ...(spare && { spare: spareNow(spare) }),
        ...(unasked && { unasked: { ...unasked, programs: (given["PATH"] ?? "").split(":") } }),
      },
    };
    if (confine) return runConfined(owned, unasked ? { ...confine, network: false } : confine);
    // While another first command finds out which strategy works, this one waits for the answer, not for its end.
    while (!choice.made && choice.underWay) await choice.underWay;
    return choice.made ? runAs(choice.made, owned) : choose(owned);
  };

  /** Never without its confinement: where that cannot be had, the command does not run. */
  const runConfined = async (command: OwnedCommand, confine: Confinement): Promise<Exit> => {
    const { confined, lacking } = await import("./confine.ts");
    const lacks = lacking({ find, confine, platform });
    if (lacks !== undefined) throw cannotStart(`confining it needs ${lacks}; see sous doctor`);
    const held = await confined(command, { find, confine, platform });
    try {
      const [able] = candidates(find, options.strategy).filter((one) => one.confines || !held.command.bounds?.confine);
      if (!able) throw cannotStart("it can be confined by no strategy that may be used");
      return await runAs(able, held.command);
    } finally {
      await held.done();
    }
  };

  const lacks: Processes["lacks"] = async (confine) => {
    const missing = (await import("./confine.ts")).lacking({ find, confine, platform });
    if (missing !== undefined || platform === "darwin") return missing;
    const by = await ownership().catch(() => undefined);
    return by === "bubblewrap" ? undefined : "bubblewrap, which may not be used here (user namespaces)";
  };

  const choose = async (command: OwnedCommand): Promise<Exit> => {
    const known = Promise.withResolvers<void>();
    choice.underWay = known.promise;
    try {
      return await runFirstThatWorks(command, (strategy) => {
        choice.made = strategy;
        known.resolve();
      });
    } finally {
      known.resolve();
      choice.underWay = undefined;
    }
  };

  const runFirstThatWorks = async (command: OwnedCommand, found: (strategy: Strategy) => void): Promise<Exit> => {
    const refusals: string[] = [];
    for (const strategy of candidates(find, options.strategy)) {
      const owned = await runOwned(strategy, { ...command, onReady: () => found(strategy) });
      if (owned.at === "ended") return owned.exit;
      // A limit says nothing about the strategy: a weaker one must not take its place for it.
      const limit = limitIn(owned.why);
      if (limit !== undefined) throw cannotStart(limit);
      // Nor must it where only what this command is held to was refused.
      const { spare, unasked } = command.bounds ?? {};
      if ((spare || unasked) && (await works({ ...command, bounds: {} }, strategy)))
        throw cannotStart(`${strategy.name}: ${owned.why}`);
      refusals.push(`${strategy.name}: ${owned.why}`);
    }
    throw cannotStart(refusals.join("; ") || `${options.strategy} is not installed`);
  };

  const ownership = async (): Promise<Ownership> => {
    if (!choice.made) await run(probe, () => {}, new AbortController().signal);
    if (!choice.made) throw cannotStart("no strategy answered");
    return choice.made.name;
  };

  return { run, lacks, ownership, close: () => unregister?.() };
}

const probe: CommandSpec = { command: ":", cwd: "/", env: {}, timeoutMs: 5_000 };

function candidates(find: FindProgram, only: Ownership | undefined): readonly Strategy[] {
  const all = [...bubblewrap(find), ...unshare(find), ...keeper(find)];
  return only ? all.filter((strategy) => strategy.name === only) : all;
}

/** Without the command itself: whether the strategy starts one here. */
async function works(command: OwnedCommand, strategy: Strategy): Promise<boolean> {
  const [shell = "/bin/sh"] = command.shell;
  const { stdin: _stdin, ...rest } = command;
  const { at } = await runOwned(strategy, { ...rest, shell: [shell, "-c", ":"], onReady() {}, onOutput() {} });
  return at === "ended";
}

async function runAs(strategy: Strategy, command: OwnedCommand): Promise<Exit> {
  const owned = await runOwned(strategy, command);
  // Never down to a weaker strategy once a better one has worked.
  if (owned.at === "refused") throw cannotStart(limitIn(owned.why) ?? `${strategy.name}: ${owned.why}`);
  return owned.exit;
}

const cannotStart = (why: string): Error => new Error(`The command could not be started: ${why}`);

async function mustBeFolder(cwd: string): Promise<void> {
  const found = await stat(cwd).catch(() => undefined);
  if (!found) throw new Error(`The working folder does not exist: ${cwd}`);
  if (!found.isDirectory()) throw new Error(`The working folder is not a folder: ${cwd}`);
}

/** Without a note only the report at the next start is lost: no reason to refuse the command. */
function note(stateDir: string | undefined, marks: Marks): () => void {
  try {
    return stateDir === undefined ? () => {} : registerEngine(stateDir, marks);
  } catch {
    return () => {};
  }
}
