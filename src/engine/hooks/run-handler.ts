// Runs one hook to its end or its limit, and says how it ended. Never rejects and never takes longer than its time.
import type { HookEnd } from "../../core/hooks/hook-answer.ts";
import type { HookEvent } from "../../core/hooks/hook-events.ts";
import type { HookInput } from "../../core/hooks/hook-input.ts";
import type { HookFunction, HookHandler } from "../../core/hooks/hook-set.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Processes } from "../../ports/processes.ts";
import { linked, orAborted } from "../../std/abort.ts";
import { collectBounded } from "../../std/bounded.ts";

export type HookWorld = {
  readonly processes: Processes;
  readonly clock: Clock;
  /** Where hooks run: the project's root is told to them, and they start in the agent's folder. */
  readonly env: Readonly<Record<string, string>>;
};

const DEFAULT_MS = 60_000;
/** The session waits for these at its very end. */
const AT_THE_END_MS = 5_000;
/** JSON that is longer than this is not read; a reason is cut long before. */
const STDOUT = { head: 200_000, tail: 0 };
const STDERR = { head: 12_000, tail: 4_000 };

export async function runHandler(
  world: HookWorld,
  { run, timeoutMs }: HookHandler,
  input: HookInput,
  signal: AbortSignal,
): Promise<HookEnd> {
  const limit = timeoutMs ?? defaultFor(input.hook_event_name);
  try {
    return run.kind === "command"
      ? await runCommand(world, run.command, input, limit, signal)
      : await callFunction(world, run.call, input, limit, signal);
  } catch (error) {
    return { is: "broke", why: signal.aborted ? "it was interrupted" : `it failed: ${messageOf(error)}` };
  }
}

const defaultFor = (event: HookEvent): number => (event === "SessionEnd" ? AT_THE_END_MS : DEFAULT_MS);

async function runCommand(
  { processes, env }: HookWorld,
  command: string,
  input: HookInput,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<HookEnd> {
  const stdout = collectBounded(STDOUT);
  const stderr = collectBounded(STDERR);
  const exit = await processes.run(
    {
      command,
      cwd: input.cwd,
      env,
      timeoutMs,
      stdin: `${JSON.stringify(input)}\n`,
      onStderr: (chunk) => stderr.write(chunk),
    },
    (chunk) => stdout.write(chunk),
    signal,
  );
  if (exit.ended === "timeout") return tooLong(timeoutMs);
  if (exit.ended === "aborted") return { is: "broke", why: "it was interrupted" };
  if (exit.code === null) return { is: "broke", why: `it was ended by ${exit.signal ?? "a signal"}` };
  const printed = stdout.finish();
  if (printed.truncated && exit.code !== 2)
    return { is: "broke", why: `it printed ${printed.totalBytes} bytes, more than a hook may; they were not read` };
  return { is: "exited", code: exit.code, stdout: printed.text, stderr: stderr.finish().text };
}

async function callFunction(
  { clock }: HookWorld,
  call: HookFunction,
  input: HookInput,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<HookEnd> {
  const own = linked(signal);
  const over = new AbortController();
  const late = Symbol("late");
  clock.sleep(timeoutMs, over.signal).then(
    () => own.abort(late),
    () => {},
  );
  try {
    const answer = await orAborted(
      Promise.resolve().then(() => call(input, own.signal)),
      own.signal,
    );
    return { is: "returned", answer };
  } catch (error) {
    if (error === late) return tooLong(timeoutMs);
    throw error;
  } finally {
    over.abort(null);
    own.unlink();
  }
}

const tooLong = (ms: number): HookEnd => ({ is: "broke", why: `it took longer than ${ms / 1000} s and was ended` });
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 500);
