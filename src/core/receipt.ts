// What really happened in a session, counted from the record: the evidence that comes with every result.
import type { Receipt } from "./run-result.ts";
import type { Facts, ToolOutcome } from "./tool-outcome.ts";

export type Tally = {
  calls: Record<string, number>;
  commands: { command: string; exitCode: number | null }[];
  files: Map<string, NonNullable<Facts["files"]>[number]>;
  reads: Set<string>;
  interrupted: number;
};

export const newTally = (): Tally => ({ calls: {}, commands: [], files: new Map(), reads: new Set(), interrupted: 0 });

export function countCall(tally: Tally, tool: string): void {
  tally.calls[tool] = (tally.calls[tool] ?? 0) + 1;
}

export function countOutcome(tally: Tally, outcome: ToolOutcome): void {
  if (!outcome.ok && outcome.why === "interrupted") tally.interrupted++;
  const { command, files, read } = outcome.facts ?? {};
  if (command) tally.commands.push({ command: command.text, exitCode: command.exitCode });
  for (const file of files ?? []) tally.files.set(file.path, file);
  if (read) tally.reads.add(read.path);
}

export function receiptOf(tally: Tally, models: readonly string[], output: string): Receipt {
  const flags: string[] = [];
  if (Object.keys(tally.calls).length === 0 && claimsWork(output)) flags.push("claims work, but no tool was called");
  if (tally.interrupted > 0) flags.push(`${tally.interrupted} interrupted tool call(s): see the transcript`);
  return {
    toolCalls: { ...tally.calls },
    commands: [...tally.commands],
    files: [...tally.files.values()],
    reads: [...tally.reads],
    models,
    flags,
  };
}

const claim =
  /\b(I|I've|I have|we|we've)\s+(have\s+|just\s+|now\s+|also\s+|successfully\s+)*(created|written|wrote|edited|changed|updated|fixed|implemented|added|removed|deleted|ran|run|executed|tested|verified|committed|refactored|installed)\b|\b(all )?tests (now )?pass(ed)?\b/i;
const claimsWork = (output: string): boolean => claim.test(output);
