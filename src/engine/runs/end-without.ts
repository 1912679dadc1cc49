// The record of a child's end where no loop could write it: it was stopped before it ran, or could not be made to run.
import { resultOf } from "../../core/end-state.ts";
import type { DurableEvent } from "../../core/events.ts";
import { type CallId, runId } from "../../core/ids.ts";
import { waitingItem } from "../../core/inbox.ts";
import { text } from "../../core/messages.ts";
import type { RunResult } from "../../core/run-result.ts";
import type { SessionState } from "../../core/session-state.ts";
import type { Halt } from "../loop/run.ts";
import { type Tree, originOf } from "./tree.ts";

const never = new AbortController().signal;

export async function endWithout(
  { writer, kit }: Pick<Tree, "writer" | "kit">,
  child: SessionState,
  why: { readonly halt: Halt } | { readonly error: unknown },
): Promise<RunResult> {
  const origin = originOf(child);
  // What it asked is asked no more; its other open calls are taken up again should it go on.
  for (const { part } of [...(child.batch?.open.values() ?? [])])
    if (waitingItem(writer.state.items, child.session, part.call))
      await writer.record(origin, notAnswered(part.call), never);
  const output = child.lastText;
  const ending =
    "halt" in why
      ? {
          status: "cancelled" as const,
          output,
          by: why.halt.by ?? "parent",
          error: { code: "cancelled", message: why.halt.because },
        }
      : { status: "failed" as const, output, error: { code: "child", message: messageOf(why.error) } };
  const result = resultOf(writer.state, child, ending, kit.clock.now(), kit.transcriptOf(child.path));
  const { seq } = await writer.record(origin, { type: "run.ended", run: runId(kit.random.uuid()), result }, never);
  await writer.durable(seq, origin, never);
  return result;
}

const notAnswered = (call: CallId): DurableEvent => ({
  type: "tool.ended",
  call,
  outcome: { ok: false, why: "interrupted", said: [text("Not answered: the agent was stopped.")] },
  durationMs: 0,
});

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
