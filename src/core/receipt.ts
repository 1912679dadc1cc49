// What really happened in a session, counted from the record: the evidence that comes with every result.
import type { Receipt } from "./run-result.ts";
import { callWords, cutLine } from "./call-words.ts";
import { type BadCallPart, type CallPart, textOf } from "./messages.ts";
import type { Facts, FileChange, ToolOutcome } from "./tool-outcome.ts";
import { count } from "../std/count.ts";

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
  /** The first refused calls, in words. */
  refusals: Unmade[];
  /** The first call that would have changed something and did not, and how many there were. */
  unmade: { first: Unmade; count: number } | undefined;
};

type Unmade = { readonly call: string; readonly why: "refused" | "failed"; readonly because: string };

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
  refusals: [],
  unmade: undefined,
});

export function countCall(tally: Tally, tool: string): void {
  tally.calls[tool] = (tally.calls[tool] ?? 0) + 1;
}

export function countOutcome(tally: Tally, outcome: ToolOutcome, part?: CallPart | BadCallPart): void {
  if (!outcome.ok && outcome.why === "interrupted") tally.interrupted++;
  if (!outcome.ok && outcome.why === "refused") tally.refused++;
  if (!outcome.ok && part && outcome.why !== "interrupted") countUnmade(tally, unmadeCall(part, outcome));
  const { command, files, read, search, fetched } = outcome.facts ?? {};
  if (command) countCommand(tally, command);
  for (const file of files ?? []) tally.files.set(file.path, sum(tally.files.get(file.path), file));
  if (read) tally.reads.add(read.path);
  if (search) tally.searches.add(`${search.tool} ${search.pattern}`);
  if (fetched) tally.fetches.add(`${fetched.url} (${fetched.status})`);
}

const NAMED = 3;
const CHANGES: ReadonlySet<string> = new Set(["Write", "Edit", "MultiEdit", "Bash"]);

function countUnmade(tally: Tally, one: Unmade & { readonly tool: string }): void {
  if (one.why === "refused" && tally.refusals.length < NAMED) tally.refusals.push(one);
  if (CHANGES.has(one.tool))
    tally.unmade = { first: tally.unmade?.first ?? one, count: (tally.unmade?.count ?? 0) + 1 };
}

function unmadeCall(part: CallPart | BadCallPart, { why, said }: Extract<ToolOutcome, { ok: false }>) {
  const told = textOf(said).replace(/^Not run: (?:\w+ was refused: )?/, "");
  const rule = /; the rule ([\s\S]+) would allow it$/.exec(told);
  const because = cutLine(told.slice(0, rule?.index), 160);
  // A rule that is cut would be another one.
  const fits = rule?.[1] !== undefined && rule[1].length <= 160 && !rule[1].includes("\n");
  return {
    tool: part.tool,
    call: callWords(part),
    why: why === "refused" ? ("refused" as const) : ("failed" as const),
    because: fits ? `${because}; --allow ${quoted(rule[1]!)} would allow it` : because,
  };
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

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
  const claim = claimsWork(output) ? emptyClaim(tally) : undefined;
  if (claim) flags.push(claim.flag);
  const others = tally.refusals.filter((one) => one !== claim?.about);
  flags.push(...others.map(({ call, because }) => `refused: ${call}: ${because}`));
  const more = tally.refused - tally.refusals.length;
  if (more > 0) flags.push(`${count(more, "more tool call")} refused: see the transcript`);
  if (tally.interrupted > 0) flags.push(`${count(tally.interrupted, "interrupted tool call")}: see the transcript`);
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

/** What a report that claims work claims without any: said once, with the call that was to do it. */
function emptyClaim({ calls, files, commands, unmade }: Tally): { flag: string; about?: Unmade } | undefined {
  if (files.size > 0 || commands.length > 0) return undefined;
  if (unmade) {
    const { call, why, because } = unmade.first;
    const which =
      unmade.count === 1
        ? `its only call that changes anything ${why === "refused" ? "was refused" : "failed"}`
        : `none of its ${unmade.count} calls that change anything went well`;
    return { flag: `claims work, but ${which}: ${call}: ${because}`, about: unmade.first };
  }
  return Object.keys(calls).length === 0 ? { flag: "claims work, but no tool was called" } : undefined;
}

const claim =
  /\b(I|I've|I have|we|we've)\s+(have\s+|just\s+|now\s+|also\s+|successfully\s+)*(created|written|wrote|edited|changed|updated|fixed|implemented|added|removed|deleted|ran|run|executed|tested|verified|committed|refactored|installed)\b|\b(all )?tests (now )?pass(ed)?\b/i;
const claimsWork = (output: string): boolean => claim.test(output);
