// What really happened in a session, counted from the record: the evidence that comes with every result.
import type { Receipt } from "./run-result.ts";
import type { Facts, FileChange, ToolOutcome } from "./tool-outcome.ts";

export type Tally = {
  calls: Record<string, number>;
  commands: { command: string; exitCode: number | null }[];
  /** Commands in the background, told at their start and again at their end. */
  shells: Map<string, { command: string; exitCode: number | null }>;
  files: Map<string, Receipt["files"][number]>;
  reads: Set<string>;
  searches: Set<string>;
  fetches: Set<string>;
  interrupted: number;
  refused: number;
};

export const newTally = (): Tally => ({
  calls: {},
  commands: [],
  shells: new Map(),
  files: new Map(),
  reads: new Set(),
  searches: new Set(),
  fetches: new Set(),
  interrupted: 0,
  refused: 0,
});

export function countCall(tally: Tally, tool: string): void {
  tally.calls[tool] = (tally.calls[tool] ?? 0) + 1;
}

export function countOutcome(tally: Tally, outcome: ToolOutcome): void {
  if (!outcome.ok && outcome.why === "interrupted") tally.interrupted++;
  if (!outcome.ok && outcome.why === "refused") tally.refused++;
  const { command, files, read, search, fetched } = outcome.facts ?? {};
  if (command) countCommand(tally, command);
  for (const file of files ?? []) tally.files.set(file.path, sum(tally.files.get(file.path), file));
  if (read) tally.reads.add(read.path);
  if (search) tally.searches.add(`${search.tool} ${search.pattern}`);
  if (fetched) tally.fetches.add(`${fetched.url} (${fetched.status})`);
}

function countCommand(tally: Tally, { text, exitCode, shell }: NonNullable<Facts["command"]>): void {
  const told = shell === undefined ? undefined : tally.shells.get(shell);
  if (told) return void (told.exitCode = exitCode);
  const counted = { command: text, exitCode };
  tally.commands.push(counted);
  if (shell !== undefined) tally.shells.set(shell, counted);
}

/** Several changes of one file are one, from how it was to how it is. */
function sum(before: Receipt["files"][number] | undefined, file: FileChange): Receipt["files"][number] {
  return {
    path: file.path,
    change: before?.change === "created" && file.change === "changed" ? "created" : file.change,
    ...(file.hash !== undefined && { hash: file.hash }),
    added: (before?.added ?? 0) + (file.added ?? 0),
    removed: (before?.removed ?? 0) + (file.removed ?? 0),
  };
}

export function receiptOf(tally: Tally, models: readonly string[], output: string): Receipt {
  const flags: string[] = [];
  if (Object.keys(tally.calls).length === 0 && claimsWork(output)) flags.push("claims work, but no tool was called");
  if (tally.refused > 0) flags.push(`${tally.refused} tool call(s) refused: see the transcript`);
  if (tally.interrupted > 0) flags.push(`${tally.interrupted} interrupted tool call(s): see the transcript`);
  return {
    toolCalls: { ...tally.calls },
    commands: [...tally.commands],
    files: [...tally.files.values()],
    reads: [...tally.reads],
    searches: [...tally.searches],
    fetches: [...tally.fetches],
    models,
    flags,
  };
}

const claim =
  /\b(I|I've|I have|we|we've)\s+(have\s+|just\s+|now\s+|also\s+|successfully\s+)*(created|written|wrote|edited|changed|updated|fixed|implemented|added|removed|deleted|ran|run|executed|tested|verified|committed|refactored|installed)\b|\b(all )?tests (now )?pass(ed)?\b/i;
const claimsWork = (output: string): boolean => claim.test(output);
