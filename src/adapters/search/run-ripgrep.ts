// One ripgrep: its records as they come, until there are enough, its time is over, or it is done. It runs as a process of
// its own, so that no pattern can hold up this one.
import { tiedToUs } from "../processes/tied-to-us.ts";
import { spawn } from "node:child_process";
import { setPriority } from "node:os";

export type RgRun = {
  readonly args: readonly string[];
  readonly cwd: string;
  /** Ends a record: a line's end, or NUL. */
  readonly separator: "\n" | "\0";
  /** For a filter: what it reads. */
  readonly input?: readonly string[];
  readonly most: number;
  readonly timeoutMs: number;
};
export type RgEnd =
  | { readonly ok: true; readonly records: readonly string[]; readonly cut?: "most" | "time" }
  | { readonly ok: false; readonly problem: string };

/** Records are bounded by ripgrep itself; this is for names and separators gone mad. */
const MOST_BYTES = 8 * 1024 * 1024;

export async function runRipgrep(program: string, run: RgRun, signal: AbortSignal): Promise<RgEnd> {
  signal.throwIfAborted();
  const child = spawn(...tiedToUs(program, ["--no-config", ...run.args]), {
    cwd: run.cwd,
    env: {},
    stdio: [run.input ? "pipe" : "ignore", "pipe", "pipe"],
  });
  yieldTo(child.pid);
  const records: string[] = [];
  let [left, bytes, said] = ["", 0, ""];
  let cut: "most" | "time" | undefined;
  const stop = (why: "most" | "time"): void => {
    cut ??= why;
    child.kill("SIGKILL");
  };
  const abort = (): void => void child.kill("SIGKILL");
  const timer = setTimeout(stop, run.timeoutMs, "time");
  signal.addEventListener("abort", abort, { once: true });
  child.stdin?.on("error", () => {}).end(run.input?.map((line) => `${line}${run.separator}`).join(""));
  child.stdout!.setEncoding("utf8").on("data", (chunk: string) => {
    if (cut) return;
    const parts = (left + chunk).split(run.separator);
    left = parts.pop() ?? "";
    for (const part of parts) if (records.length <= run.most) records.push(part);
    bytes += chunk.length;
    if (records.length > run.most || bytes > MOST_BYTES) stop("most");
  });
  child.stderr!.setEncoding("utf8").on("data", (chunk: string) => {
    if (said.length < 2_000) said += chunk;
  });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", resolve);
    });
    signal.throwIfAborted();
    if (cut) return { ok: true, records: records.slice(0, run.most), cut };
    // 2 also when some file could not be read: what was found elsewhere is still an answer.
    if (code === 2 && records.length === 0 && /regex|glob|pattern|file type|size limit/i.test(said))
      return { ok: false, problem: said.replace(/^rg: /gm, "").trim() };
    if (left !== "") records.push(left);
    return { ok: true, records };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

/** A search that takes every processor must not take this one's. */
function yieldTo(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, 10);
  } catch {
    // It has ended already.
  }
}
