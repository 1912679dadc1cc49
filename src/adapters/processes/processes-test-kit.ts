// What the tests of the process runner share: commands with a name of their own that can be looked for afterwards.
import { randomInt } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import type { TestContext } from "vitest";
import type { Exit } from "../../ports/processes.ts";
import { createProcesses, type OwnedProcesses, type ProcessesOptions } from "./create-processes.ts";
import type { Ownership } from "./strategy.ts";

export const strategies = ["bubblewrap", "unshare", "keeper"] as const;

export type Said = Exit & { readonly output: string };
export type Options = { readonly timeoutMs?: number; readonly signal?: AbortSignal; readonly cwd?: string };

/** Runs commands with this process's environment, 10 s each unless told. */
export function runner(options: Partial<ProcessesOptions> = {}): OwnedProcesses & {
  say(command: string, options?: Options & { readonly env?: Record<string, string> }): Promise<Said>;
} {
  const processes = createProcesses({ runMarker: "run-under-test", secretNames: [], ...options });
  return {
    ...processes,
    async say(command, { timeoutMs = 10_000, signal = new AbortController().signal, cwd = "/", env } = {}) {
      const chunks: Buffer[] = [];
      const spec = { command, cwd, timeoutMs, env: { ...(process.env as Record<string, string>), ...env } };
      const exit = await processes.run(spec, (chunk) => void chunks.push(chunk), signal);
      return { ...exit, output: Buffer.concat(chunks).toString() };
    },
  };
}

/** Seconds for a sleep that nobody else sleeps. */
export const uniqueSeconds = (): string => `3600.${randomInt(10 ** 9, 10 ** 10)}`;

/** The processes of this machine that have `text` in their command line. */
export function running(text: string): number[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    return commandLine(name).includes(text) ? [Number(name)] : [];
  });
}

/** Sleeps only, without the shells around them that also name them. */
export const sleeping = (seconds: string): number[] =>
  running(seconds).filter((pid) => commandLine(pid).startsWith("sleep\0"));

function commandLine(pid: number | string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/** Skips where the machine refuses the strategy or lacks its program. */
export async function needs(it: TestContext, strategy: Ownership): Promise<void> {
  const refused = await runner({ strategy })
    .ownership()
    .then(() => undefined, String);
  it.skip(refused !== undefined, `needs ${strategy}: ${refused}`);
}
