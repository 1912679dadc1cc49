// Runs a program to its end and gives back all it said: for tests of commands as a user would run them.
import { spawn } from "node:child_process";

export type RunProcessOptions = {
  /** Added to this process's environment; `undefined` takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** What it can read; left out, its stdin is at its end. */
  readonly stdin?: string;
  readonly timeoutMs?: number;
  /** Called with each whole line of stdout; `true` kills the program at once with SIGKILL. */
  readonly killOn?: (line: string) => boolean;
  readonly signal?: AbortSignal;
};

export type ProcessOutcome = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** It was ended, with all of its process group, because `timeoutMs` had passed. */
  readonly timedOut: boolean;
};

export function runProcess(argv: readonly string[], options: RunProcessOptions = {}): Promise<ProcessOutcome> {
  const { timeoutMs = 30_000, killOn } = options;
  const [command = "", ...rest] = argv;
  const env = { ...process.env, ...options.env };
  return new Promise((resolve, reject) => {
    const child = spawn(command, rest, { cwd: options.cwd, env, stdio: "pipe", detached: true });
    let stdout = "";
    let stderr = "";
    let read = 0;
    let timedOut = false;
    const endGroup = (): void => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
        process.kill(-child.pid, "SIGKILL");
    };
    const freshLines = (): string[] => {
      const end = stdout.lastIndexOf("\n");
      const lines = end < read ? [] : stdout.slice(read, end).split("\n");
      read = Math.max(read, end + 1);
      return lines;
    };
    const timer = setTimeout(() => {
      timedOut = true;
      endGroup();
    }, timeoutMs);
    options.signal?.addEventListener("abort", endGroup, { once: true });

    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      if (killOn && freshLines().some(killOn)) child.kill("SIGKILL");
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.stdin.on("error", () => {}).end(options.stdin ?? "");
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", endGroup);
      resolve({ code, signal, stdout, stderr, timedOut });
    });
  });
}
