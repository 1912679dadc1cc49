// The loop's moments at which hooks step in. Without a hook that hears, each is one look at an empty list.
import type { RunEvent } from "../../core/events.ts";
import type { Ending } from "../../core/end-state.ts";
import type { HookEvent } from "../../core/hooks/hook-events.ts";
import { type HookFields, placeOf } from "../../core/hooks/hook-input.ts";
import { type HookVerdict, nothingSaid } from "../../core/hooks/merge-meanings.ts";
import { ROOT, inputId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import { type CallPart, text, textOf } from "../../core/messages.ts";
import type { Waiting } from "../../core/session-state.ts";
import type { ToolOutcome } from "../../core/tool-outcome.ts";
import type { Halt, Mark, Run } from "./run.ts";

type Steps<Value> = AsyncGenerator<RunEvent, Value, Mark>;

/** How often in a row hooks can keep an agent from ending. */
const MOST_STOP_BLOCKS = 5;
const RESPONSE_CHARS = 20_000;

/** What the hooks that hear it say. One that ends the run ends it here. */
export async function fire<E extends HookEvent>(
  run: Run,
  event: E,
  fields: HookFields[E],
  signal: AbortSignal,
): Promise<HookVerdict> {
  if (!hears(run, event)) return nothingSaid;
  const verdict = await run.hooks!.fire(event, placeOf(run.state, run.tree.mode), fields, signal);
  if (verdict.stop !== undefined) {
    const because = `a hook on ${event} ended the run: ${verdict.stop}`;
    run.stop({ status: "cancelled", by: "hook", because } satisfies Halt);
  }
  return verdict;
}

export const hears = (run: Run, event: HookEvent): boolean => run.hooks?.hears(event, run.state.path) ?? false;

export const callFields = (part: CallPart, tool: string, input: JsonObject): HookFields["PreToolUse"] => ({
  tool_name: tool,
  tool_input: input,
  tool_use_id: part.call,
});

/** After a call has ended, and is on record; what hooks add reaches the model with the next turn. */
export async function* afterTool(
  run: Run,
  call: HookFields["PreToolUse"],
  outcome: ToolOutcome,
  durationMs: number,
  signal: AbortSignal,
): Steps<void> {
  const event = outcome.ok ? "PostToolUse" : "PostToolUseFailure";
  if (signal.aborted || !hears(run, event)) return;
  const said = textOf(outcome.said).slice(0, RESPONSE_CHARS);
  const { context } = outcome.ok
    ? await fire(
        run,
        "PostToolUse",
        { ...call, tool_response: responseOf(outcome, said), duration_ms: durationMs },
        signal,
      )
    : await fire(
        run,
        "PostToolUseFailure",
        { ...call, error: said, is_interrupt: outcome.why === "interrupted", duration_ms: durationMs },
        signal,
      );
  yield* mention(run, `after ${call.tool_name}`, context);
}

const responseOf = ({ facts }: ToolOutcome, content: string): JsonObject => ({
  content,
  ...(facts?.command && { exitCode: facts.command.exitCode }),
  ...(facts?.files && { files: facts.files.map(({ path, change }) => ({ path, change })) }),
});

/** What hooks add for the model: it waits in the mailbox, so that it never comes between calls and their results. */
export async function* mention(run: Run, when: string, context: readonly string[]): Steps<void> {
  if (context.length === 0) return;
  const content = [text(`[hook ${when}] ${context.join("\n")}`)];
  yield { type: "input.admitted", input: inputId(run.random.uuid()), from: "system", how: "steer", content };
}

/** Why a prompt does not enter the conversation; or what is to be said with it. */
export async function* hearPrompt(run: Run, waiting: Waiting): Steps<{ held?: string; context: readonly string[] }> {
  if (waiting.from !== "person" || !hears(run, "UserPromptSubmit")) return { context: [] };
  const { block, stop, context } = await fire(run, "UserPromptSubmit", { prompt: textOf(waiting.content) }, run.signal);
  const held = block ?? stop;
  if (held === undefined) return { context };
  yield { type: "input.dropped", input: waiting.input, because: held };
  yield { type: "note.added", kind: "hook", text: `a hook held the prompt back: ${held}` };
  return { held, context: [] };
}

export const heldBack = (because: string): Ending => ({
  status: "refused",
  output: "",
  error: {
    code: "hook",
    message: `a hook held the prompt back: ${because}`,
    remedy: "put it differently, or change the UserPromptSubmit hook",
  },
});

/** Whether the lead is made to go on although it has finished; `made` counts how often it was in a row. */
export async function* heldAtEnd(run: Run, ending: Ending, made: number): Steps<string | undefined> {
  const finished = ending.status === "succeeded" || ending.status === "partial" || ending.status === "empty";
  if (!finished || run.state.path !== ROOT || !hears(run, "Stop")) return undefined;
  const fields = { stop_hook_active: made > 0, last_assistant_message: ending.output };
  const { block } = await fire(run, "Stop", fields, run.signal);
  run.signal.throwIfAborted();
  // A result that was handed over by a call stands.
  if (block === undefined || (made < MOST_STOP_BLOCKS && !run.state.ended)) return block;
  const words = `a Stop hook can hold the agent back no longer; it ends now: ${block}`;
  yield { type: "note.added", kind: "hook", text: words };
  return undefined;
}
