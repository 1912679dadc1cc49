// Runs one program to its end and measures it from outside, as Linux counts it.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type Expected, requestsOf } from "./expected.ts";
import type { Arrival, ModelServer } from "./model-server.ts";
import { monotonicMs } from "./monotonic.ts";

export type Program = {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
};

export type Sample = {
  /** From the start of the process to the arrival of its first whole request. */
  readonly firstRequestMs: number;
  readonly wallMs: number;
  /** User and system time of the process and all it started. */
  readonly cpuMs: number;
  readonly peakMb: number;
  /** From each request to the next. */
  readonly turnMs: readonly number[];
  readonly firstBytes: number;
  readonly lastBytes: number;
  readonly arrivals: readonly Arrival[];
};

const POLL_MS = 3;
/** USER_HZ is 100 on every Linux that Node runs on. */
const TICK_MS = 10;

export async function measure(program: Program, expected: Expected, server: ModelServer): Promise<Sample> {
  const requests = requestsOf(expected);
  await server.expect(expected);
  const cpuBefore = cpuOfEndedChildren();
  const began = monotonicMs();
  const [command = "", ...args] = program.argv;
  const { env, cwd } = program;
  const child = spawn(command, args, { env, cwd, stdio: ["ignore", "ignore", "pipe"] });
  const peak = watchMemory(child);
  let complaint = "";
  child.stderr.on("data", (chunk) => (complaint += String(chunk)));
  const [code] = (await once(child, "exit")) as [number | null];
  const wallMs = monotonicMs() - began;
  const cpuMs = cpuOfEndedChildren() - cpuBefore;
  const arrivals = await server.arrivals();
  if (code !== 0 || arrivals.length !== requests)
    throw new Error(
      `${args.join(" ")}: exit code ${code} after ${arrivals.length} of ${requests} requests\n${complaint}`,
    );
  const times = arrivals.map(({ at }) => at);
  return {
    firstRequestMs: (times[0] ?? 0) - began,
    wallMs,
    cpuMs,
    peakMb: peak(),
    turnMs: times.slice(1).map((at, n) => at - (times[n] ?? 0)),
    firstBytes: arrivals[0]?.bytes ?? 0,
    lastBytes: arrivals.at(-1)?.bytes ?? 0,
    arrivals,
  };
}

/** The kernel keeps the high-water mark; it only has to be read late enough. */
function watchMemory(child: ChildProcess): () => number {
  let kilobytes = 0;
  const look = (): void => {
    const found = /^VmHWM:\s+(\d+) kB/m.exec(statusOf(child));
    if (found) kilobytes = Number(found[1]);
  };
  const timer = setInterval(look, POLL_MS);
  child.once("exit", () => clearInterval(timer));
  return () => kilobytes / 1024;
}

function statusOf({ pid }: ChildProcess): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    // It has just ended.
    return "";
  }
}

/** Only what has been waited for: the model server, which lives on, is not in it. */
function cpuOfEndedChildren(): number {
  const stat = readFileSync("/proc/self/stat", "utf8");
  const [cutime, cstime] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(13, 15);
  return (Number(cutime) + Number(cstime)) * TICK_MS;
}
