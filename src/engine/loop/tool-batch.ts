// The calls of one reply: those that may run side by side do, the others one after the other, in the model's order.
import { linked } from "../../std/abort.ts";
import { merge } from "../../std/merge.ts";
import type { RunEvent } from "../../core/events.ts";
import { type CallPart, text } from "../../core/messages.ts";
import type { Reach } from "../../core/permissions.ts";
import type { OpenCall } from "../../core/call-batch.ts";
import type { ToolOutcome } from "../../core/tool-outcome.ts";
import { isUnknown } from "../../core/unknown-calls.ts";
import type { LeftOpen, Tool, ToolWorld } from "../tools/define-tool.ts";
import type { Mark, Run } from "./run.ts";

type Steps = AsyncGenerator<RunEvent, void, Mark>;

export async function* toolBatch(run: Run, signal: AbortSignal): Steps {
  const { batch } = run.state;
  if (!batch) return;
  let together: OpenCall[] = [];
  const steps = (call: OpenCall): Steps => toolCall(run, call, batch.turn, signal);
  /** A call that is left open holds up those that come after it. */
  const isHeldUp = (calls: readonly OpenCall[]): boolean => calls.some(({ part }) => batch.open.has(part.call));
  for (const id of batch.order) {
    const call = batch.open.get(id);
    if (!call) continue;
    const tool = run.tools.find(call.part.tool);
    if (!tool || tool.parallel) {
      together.push(call);
      continue;
    }
    yield* merge(together.map(steps));
    if (isHeldUp(together)) return;
    together = [];
    yield* steps(call);
    if (isHeldUp([call])) return;
  }
  yield* merge(together.map(steps));
}

/** Ends every open call without running it. */
export async function* endOpenCalls(run: Run, outcomeOf: (call: OpenCall) => ToolOutcome): Steps {
  for (const call of [...(run.state.batch?.open.values() ?? [])])
    yield { type: "tool.ended", call: call.part.call, outcome: outcomeOf(call), durationMs: 0 };
}

async function* toolCall(run: Run, call: OpenCall, turn: number, signal: AbortSignal): Steps {
  const { part } = call;
  const notRun = (why: "refused" | "failed" | "interrupted", said: string): RunEvent => ({
    type: "tool.ended",
    call: part.call,
    outcome: { ok: false, why, said: [text(said)] },
    durationMs: 0,
  });
  if (run.state.ended) return void (yield notRun("interrupted", "Not run: the agent has ended."));
  if (part.type === "bad-call")
    return void (yield notRun(
      "failed",
      part.told ?? `Not run: the arguments for ${part.tool} are ${part.problem}. Send them as one JSON object.`,
    ));
  const tool = run.tools.find(part.tool);
  if (!tool) return void (yield notRun("failed", run.tools.missing(part.tool)));
  const problem = tool.problem(part.input);
  if (problem) return void (yield notRun("failed", `Not run: ${tool.name}: ${problem}.`));
  if (signal.aborted) return void (yield notRun("interrupted", "Not run: the run was stopped first."));
  const reach = await tool.reach(run, part.input).catch((error: unknown) => error);
  // What a tool cannot even name, it does not do.
  if (!Array.isArray(reach)) return void (yield notRun("failed", `Not run: ${tool.name} failed: ${messageOf(reach)}.`));
  const refused = yield* consent(run, part, tool, reach, signal);
  if (signal.aborted) return void (yield notRun("interrupted", "Not run: the run was stopped first."));
  if (refused === parked) return;
  if (refused !== undefined) return void (yield notRun("refused", `Not run: ${tool.name} was refused: ${refused}`));

  const { repeatable, lasting } = tool.kindOf?.(part.input) ?? tool;
  const again = call.started;
  const started = yield {
    type: "tool.started",
    turn,
    call: part.call,
    tool: tool.name,
    input: part.input,
    repeatable,
    ...(lasting && { lasting }),
  };
  if (!repeatable) await started.durable();
  const began = run.clock.ticks();
  const outcome = yield* work(run, tool, call, { again, reach }, signal);
  if (outcome === "left open") return;
  const durationMs = Math.round(run.clock.ticks() - began);
  const ended = yield { type: "tool.ended", call: part.call, outcome, durationMs };
  if (!repeatable) await ended.durable();
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The call waits for a person who is not there. */
const parked = Symbol("parked");

/** Why the call may not run, or undefined. */
async function* consent(
  run: Run,
  part: CallPart,
  tool: Tool,
  reach: readonly Reach[],
  signal: AbortSignal,
): AsyncGenerator<RunEvent, string | undefined | typeof parked, Mark> {
  if (run.state.batch?.byPerson) return undefined;
  const { mode } = run.tree;
  const outcomeUnknown = isUnknown(run.state, part);
  const asked = { tool: tool.name, input: part.input, reach, mode, outcomeUnknown };
  const verdict = run.guard.judge(asked);
  if (verdict.is === "allow") return undefined;
  if (verdict.is === "deny") return verdict.because;
  yield { type: "agent.waiting", for: "approval", since: run.clock.now(), detail: tool.name };
  try {
    const { is: _is, ...why } = verdict;
    const approval = { tool: tool.name, input: part.input, reach, ...why };
    const decision = await run.inbox.approve(approval, part.call, signal);
    if (decision === "parked") return parked;
    return decision.allow ? undefined : decision.reason;
  } catch (error) {
    // A question that was cut off is no answer; its call is told as interrupted, and the others are not disturbed.
    if (signal.aborted) return "the run was stopped first";
    throw error;
  }
}

/** Runs the tool within its time, passing on what it shows meanwhile. */
async function* work(
  run: Run,
  tool: Tool,
  call: OpenCall,
  as: Pick<ToolWorld, "again" | "reach">,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, ToolOutcome | LeftOpen, Mark> {
  const limit = linked(signal);
  const shown: string[] = [];
  let wake = (): void => {};
  const world: ToolWorld = {
    workspace: run.workspace,
    processes: run.processes,
    search: run.search,
    web: run.web,
    undo: run.undo,
    files: run.files,
    shells: run.shells,
    path: run.state.path,
    call: call.part.call,
    ...as,
    ...(run.spawner && { spawner: run.spawner }),
    inbox: run.inbox,
    env: run.env,
    signal: limit.signal,
    progress: (line) => {
      shown.push(line);
      wake();
    },
    spill: () => run.artifacts.open(call.part.call),
  };
  const done = new AbortController();
  run.clock.sleep(tool.timeoutMs, done.signal).then(
    () => limit.abort(new Error(`${tool.name} took longer than ${tool.timeoutMs / 1000} s`)),
    () => {},
  );
  let outcome: ToolOutcome | LeftOpen | undefined;
  const input = call.part.type === "call" ? call.part.input : {};
  run.tools.execute(tool, input, world).then((value) => {
    outcome = value;
    wake();
  });
  try {
    for (;;) {
      for (const line of shown.splice(0)) yield { type: "tool.progress", call: call.part.call, text: line };
      if (outcome) return outcome;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (outcome || shown.length > 0) resolve();
      });
    }
  } finally {
    done.abort(null);
    limit.unlink();
  }
}
