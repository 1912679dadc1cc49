// The record of a child's end where no loop could write it: it was stopped before it ran, or could not be made to run.
import { resultOf } from "../../core/end-state.ts";
import { runId } from "../../core/ids.ts";
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

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
