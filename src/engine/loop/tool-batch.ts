// The calls of one reply: those that may run side by side do, the others one after the other, in the model's order.
import { linked } from "../../std/abort.ts";
import { merge } from "../../std/merge.ts";
import type { RunEvent } from "../../core/events.ts";
import { type CallPart, text } from "../../core/messages.ts";
import { type HookVerdict, nothingSaid } from "../../core/hooks/merge-meanings.ts";
import type { JsonObject } from "../../core/json.ts";
import type { OpenCall } from "../../core/call-batch.ts";
import type { ToolOutcome } from "../../core/tool-outcome.ts";
import type { LeftOpen, Tool, ToolWorld } from "../tools/define-tool.ts";
import { bash } from "../tools/bash.ts";
import { consent } from "./consent.ts";
import { afterTool, callFields, fire, mention } from "./hooking.ts";
import type { Mark, Run } from "./run.ts";
import { afterStall, watchTool } from "./tool-watch.ts";

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
  if (run.state.ended) return void (yield notRun("failed", "Not run: the agent has ended."));
  if (part.type === "bad-call")
    return void (yield notRun(
      "failed",
      part.told ?? `Not run: the arguments for ${part.tool} are ${part.problem}. Send them as one JSON object.`,
    ));
  // A person's command runs also where the agent itself has no Bash.
  const tool = run.tools.find(part.tool) ?? (run.state.batch?.byPerson ? bash : undefined);
  if (!tool) return void (yield notRun("failed", run.tools.missing(part.tool)));
  const problem = tool.problem(part.input);
  if (problem) return void (yield notRun("failed", `Not run: ${tool.name}: ${problem}.`));
  if (signal.aborted) return void (yield notRun("interrupted", "Not run: the run was stopped first."));
  // A call that stands for something durable was asked for when it began.
  const hooked = call.started && call.lasting ? nothingSaid : await beforeTool(run, part, tool, signal);
  yield* mention(run, `before ${tool.name}`, hooked.context);
  if (hooked.permission?.is === "deny")
    return void (yield notRun("refused", `Not run: a hook refused ${tool.name}: ${hooked.permission.because}`));
  const changed = hooked.updatedInput ?? call.changed;
  const input = changed ?? part.input;
  const misfit = changed && tool.problem(input);
  if (misfit) return void (yield notRun("failed", `Not run: a hook changed the input of ${tool.name}: ${misfit}.`));
  const reach = await tool.reach(run, input).catch((error: unknown) => error);
  // What a tool cannot even name, it does not do.
  if (!Array.isArray(reach)) return void (yield notRun("failed", `Not run: ${tool.name} failed: ${messageOf(reach)}.`));
  const consented = yield* consent(run, { part, tool, input, reach, hooked: hooked.permission }, signal);
  if (signal.aborted) return void (yield notRun("interrupted", "Not run: the run was stopped first."));
  if (consented.is === "parked") return;
  if (consented.is === "impossible") return void (yield notRun("failed", consented.reason));
  if (consented.is === "refused")
    return void (yield notRun("refused", `Not run: ${tool.name} was refused: ${consented.reason}`));
  const { runAs } = consented;

  const { repeatable, lasting } = tool.kindOf?.(input) ?? tool;
  const again = call.started;
  const started = yield {
    type: "tool.started",
    turn,
    call: part.call,
    tool: tool.name,
    input,
    repeatable,
    ...(lasting && { lasting }),
  };
  if (!repeatable) await started.durable();
  // What lasts though its tool does not always is a child.
  const waitsFor = lasting && tool.waitsFor === "tool" ? "child" : tool.waitsFor;
  const began = run.clock.ticks();
  const worked = yield* work(
    run,
    { ...tool, waitsFor },
    call,
    { again, reach, ...(runAs && { runAs }) },
    input,
    signal,
  );
  if (worked === "left open") return;
  const outcome = changed ? withChange(worked, input) : worked;
  const durationMs = Math.round(run.clock.ticks() - began);
  const ended = yield { type: "tool.ended", call: part.call, outcome, durationMs };
  if (!repeatable) await ended.durable();
  yield* afterTool(run, callFields(part, tool.name, input), outcome, durationMs, signal);
}

const beforeTool = (run: Run, part: CallPart, tool: Tool, signal: AbortSignal): Promise<HookVerdict> =>
  fire(run, "PreToolUse", callFields(part, tool.name, part.input), signal);

/** The model has to know that something else ran than it asked for. */
const withChange = (outcome: ToolOutcome, input: JsonObject): ToolOutcome => ({
  ...outcome,
  said: [text(`[a hook changed the input to ${JSON.stringify(input).slice(0, 500)}]\n`), ...outcome.said],
});

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Runs the tool within its time, passing on what it shows meanwhile. */
async function* work(
  run: Run,
  tool: Tool,
  call: OpenCall,
  as: Pick<ToolWorld, "again" | "reach" | "runAs">,
  input: JsonObject,
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
    hides: (path) => run.guard.hides(path),
    path: run.state.path,
    call: call.part.call,
    ...as,
    ...(run.spawner && { spawner: run.spawner }),
    ...(run.copies && { copies: run.copies }),
    inbox: run.inbox,
    env: run.env,
    signal: limit.signal,
    progress: (line) => {
      watch.alive();
      shown.push(line);
      wake();
    },
    spill: () => run.artifacts.open(call.part.call),
  };
  const watch = watchTool(run.clock, tool, run.toolSilenceMs, (reason) => limit.abort(reason));
  let outcome: ToolOutcome | LeftOpen | undefined;
  run.tools.execute(tool, input, world).then((value) => {
    outcome = afterStall(value, limit.signal.reason);
    wake();
  });
  try {
    // Who asks says so itself, with the question.
    if (tool.waitsFor === "tool" || tool.waitsFor === "child")
      yield { type: "agent.waiting", for: tool.waitsFor, since: run.clock.now(), detail: tool.name };
    for (;;) {
      for (const line of shown.splice(0)) yield { type: "tool.progress", call: call.part.call, text: line };
      if (outcome) return outcome;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (outcome || shown.length > 0) resolve();
      });
    }
  } finally {
    watch.stop();
    limit.unlink();
  }
}
