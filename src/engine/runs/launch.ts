// Starts a run and gives the handles to it: hand in, stop, and the promise of its result.
import { type Ending, resultOf } from "../../core/end-state.ts";
import { endedBy } from "../../core/exit-policy.ts";
import type { Origin } from "../../core/events.ts";
import { runId } from "../../core/ids.ts";
import type { RunResult } from "../../core/run-result.ts";
import { type SessionState, newSession } from "../../core/session-state.ts";
import { LogFault } from "../../ports/tree-log.ts";
import { runLoop } from "../loop/loop.ts";
import { type Halt, type Interruption, type Run, haltOf } from "../loop/run.ts";
import { drive } from "./drive.ts";
import type { TreeWriter } from "./tree-writer.ts";

export type RunHandle = {
  readonly result: Promise<RunResult>;
  /** What is under way is interrupted, and the agent gets one turn to say what it has. */
  handIn(halt: Halt): void;
  /** Ends at once. */
  stop(halt: Halt): void;
  /** What is under way is interrupted; the run stays and waits for words. */
  interrupt(by: string): void;
};

/** What the caller brings; the rest of a Run is made here. */
export type RunParts = Omit<Run, "id" | "state" | "tree" | "signal" | "handIn" | "interrupts" | "stop">;

/** A run that goes on has used part of its time. */
const alreadySpent = ({ status, spentMs, changedAt, runStartedAt }: SessionState): number =>
  status === "running" || status === "paused" || status === "parked"
    ? spentMs + Math.max(0, changedAt - runStartedAt)
    : 0;

/** `before` is done first; what it throws ends the run like a bug in it. */
export function launch(
  writer: TreeWriter,
  origin: Origin,
  parts: RunParts,
  before: () => Promise<void> = () => Promise.resolve(),
): RunHandle {
  const hard = new AbortController();
  const soft = new AbortController();
  let breakIn = new AbortController();
  let isHeard = false;
  /** Another one after each that was heard: one that came before anybody listened still counts. */
  const interrupts = (): AbortSignal => {
    if (isHeard && breakIn.signal.aborted) breakIn = new AbortController();
    isHeard = true;
    return breakIn.signal;
  };
  const state = writer.state.sessions.get(origin.session) ?? newSession(origin.session, origin.path);
  // What it saw in another process it still knows, unless the file is another by now.
  for (const [path, version] of state.files) parts.files.saw(path, version);
  const run: Run = {
    ...parts,
    id: runId(parts.random.uuid()),
    state,
    tree: writer.state,
    signal: hard.signal,
    handIn: soft.signal,
    interrupts,
    stop: (halt) => hard.abort(halt),
  };
  const over = new AbortController();
  const { timeoutMs } = parts.limits;
  if (timeoutMs !== undefined)
    parts.clock.sleep(Math.max(0, timeoutMs - alreadySpent(state)), over.signal).then(
      () =>
        soft.abort({ status: "limit", because: `the time limit of ${timeoutMs / 1000} s is reached` } satisfies Halt),
      () => {},
    );
  const result = before()
    .then(() => drive(runLoop(run), writer, origin, hard.signal))
    .catch((error: unknown) => broken(run, writer, origin, error, hard))
    .finally(() => over.abort(null));
  return {
    result,
    handIn: (halt) => soft.abort(halt),
    stop: (halt) => hard.abort(halt),
    interrupt: (by) => breakIn.abort({ by, because: `interrupted by ${by}` } satisfies Interruption),
  };
}

/**
 * A bug, or a log that cannot be written: everything of the run is stopped, and the end is recorded if it can be.
 * Never rejects: a run that broke still has a result.
 */
async function broken(
  run: Run,
  writer: TreeWriter,
  origin: Origin,
  error: unknown,
  hard: AbortController,
): Promise<RunResult> {
  const stopped = hard.signal.aborted ? haltOf(hard.signal.reason) : undefined;
  hard.abort({ status: "cancelled", by: "system", because: "the run broke" } satisfies Halt);
  const message = error instanceof Error ? error.message : (stopped?.because ?? String(error));
  const broke: Ending = stopped
    ? {
        status: "cancelled",
        output: run.state.lastText,
        by: stopped.by,
        error: { code: "cancelled", message: stopped.because },
      }
    : { status: "failed", output: run.state.lastText, error: explain(error instanceof LogFault, message) };
  // A result that was handed over stands, whoever or whatever ends the run afterwards.
  const ending = run.state.ended ? endedBy(run.state.ended) : broke;
  await run.spawner?.end(haltOf(hard.signal.reason)).catch(() => {});
  const result = resultOf(run.tree, run.state, ending, run.clock.now(), run.transcript);
  try {
    const { seq } = await writer.record(origin, { type: "run.ended", run: run.id, result }, hard.signal);
    await writer.durable(seq, origin, hard.signal);
  } catch {
    // The log is what broke: the result is told to the person, and the session goes on from its last record.
  }
  return result;
}

const explain = (inLog: boolean, message: string): NonNullable<Ending["error"]> =>
  inLog
    ? { code: "log", message, remedy: "free space or mend the disk, then resume the session" }
    : { code: "internal", message, remedy: "this is a bug in Sous: resume the session, and report it" };
