// One command under a strategy: started, its output passed on, ended at its limit or by its signal, and waited for until
// everything it started is gone.
import type { ChildProcess } from "node:child_process";
import type { Duplex, Readable } from "node:stream";
import type { Exit } from "../../ports/processes.ts";
import { type ExitReport, readExitReport } from "./shell-protocol.ts";
import { after } from "./long-timer.ts";
import { startChild } from "./start-child.ts";
import type { Bounds, Strategy } from "./strategy.ts";

export type OwnedCommand = {
  readonly shell: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly stdin?: string;
  readonly bounds?: Bounds;
  onOutput(chunk: Buffer): void;
  onStderr?(chunk: Buffer): void;
  /** The strategy works here: the command's shell starts now. */
  onReady(): void;
};

/** Refused: the strategy does not work here, and the command has not been started at all. */
export type Owned = { readonly at: "ended"; readonly exit: Exit } | { readonly at: "refused"; readonly why: string };

/** From SIGTERM to SIGKILL. */
const graceMs = 200;
/** From the order to end until we wait no longer: only a process that the kernel cannot kill gets there. */
const patienceMs = 1_500;
/** From the end of everything owned to the end of its output: only what escaped a keeper holds it open. */
const drainMs = 1_000;

export async function runOwned(strategy: Strategy, command: OwnedCommand): Promise<Owned> {
  const began = performance.now();
  const apart = command.onStderr !== undefined;
  const child = await startChild(strategy.argv(command.shell, apart, command.bounds), command, apart);
  const [, stdout, stderr, control, errors] = child.stdio as unknown as [null, Readable, Readable, Duplex, Duplex?];
  const gone = Promise.withResolvers<void>();
  const timers: (() => void)[] = [];
  const later = (ms: number, act: () => void): void => void timers.push(after(ms, act));
  let started = false;
  let ended: Exit["ended"] = null;
  let bug: { readonly thrown: unknown } | undefined;

  const end = (why: "timeout" | "aborted"): void => {
    if (ended || hasExited(child)) return;
    ended = why;
    if (!started) control.end();
    signalGroup(child, "SIGURG");
    later(graceMs, () => strategy.kill(child));
    later(patienceMs, letGo);
  };
  const letGo = (): void => {
    signalGroup(child, "SIGKILL");
    for (const stream of [stdout, stderr, control, errors]) stream?.destroy();
    gone.resolve();
  };
  const abort = (): void => end("aborted");
  const passOn =
    (take: (chunk: Buffer) => void) =>
    (chunk: Buffer): void => {
      if (bug) return;
      try {
        take(chunk);
      } catch (thrown) {
        bug = { thrown };
        abort();
      }
    };
  const begin = (): void => {
    if (ended) return;
    started = true;
    stdout.on(
      "data",
      passOn((chunk) => command.onOutput(chunk)),
    );
    errors?.on(
      "data",
      passOn((chunk) => command.onStderr?.(chunk)),
    );
    control.write("go\n");
    command.onReady();
  };

  const trouble = listen(stderr, 4_000);
  const report = listen(control, 4_000, (text) => !started && text.includes("ready\n") && begin());
  // What a refused strategy had to say is not the command's output.
  control.once("close", () => {
    if (!started) for (const stream of [stdout, errors]) stream?.resume();
  });
  for (const stream of [stdout, errors]) stream?.on("error", ignore);
  child.once("exit", () => later(drainMs, letGo));
  child.once("close", () => gone.resolve());
  later(command.timeoutMs, () => end("timeout"));
  command.signal.addEventListener("abort", abort, { once: true });
  if (command.signal.aborted) abort();
  await gone.promise;
  command.signal.removeEventListener("abort", abort);
  for (const cancel of timers) cancel();

  if (bug) throw bug.thrown;
  if (!started && !ended) return { at: "refused", why: trouble().trim() || `it ended with ${child.exitCode}` };
  // Without a report the reporter was killed with the rest.
  const how: ExitReport = readExitReport(report()) ?? { code: null, signal: started ? "SIGKILL" : null };
  return { at: "ended", exit: { ...how, ended, durationMs: Math.round(performance.now() - began) } };
}

/** Keeps the last of what a stream says; `heard` sees it each time there is more. */
function listen(stream: Readable, most: number, heard?: (text: string) => void): () => string {
  let text = "";
  stream.on("error", ignore);
  stream.on("data", (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-most);
    heard?.(text);
  });
  return () => text;
}

// Reading from what was killed may fail; that it has ended is told by the process.
const ignore = (): void => {};

const hasExited = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/** The group outlives its first process as long as the relay of its output does. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // Nobody left.
  }
}
