// A child's result that its parent is not told whole: the whole of it becomes a file that the parent can read.
import { ITEM_CHARS, REPORT_CHARS } from "../../core/child-report.ts";
import type { RunResult } from "../../core/run-result.ts";
import type { Run } from "./run.ts";

export function keepWhole({ artifacts, state }: Pick<Run, "artifacts" | "state">, result: RunResult): RunResult {
  const spawnedBy = state.opened?.spawnedBy;
  if (!spawnedBy) return result;
  const most = spawnedBy.item === undefined ? REPORT_CHARS : ITEM_CHARS;
  if (result.output.length <= most && result.summary === undefined) return result;
  try {
    const file = artifacts.open(`result-${state.path}`);
    file.write(new TextEncoder().encode(result.output));
    return { ...result, artifact: file.end() };
  } catch {
    // The record has it all the same: its transcript is named instead.
    return result;
  }
}
