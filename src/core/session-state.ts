// What a session is, folded from its events: the history the model is shown, what waits, what is open, what it cost.
// Only `foldSession` changes it.
import type { BoundCopy, Limits, Mode, Sender, SessionOpened, SummarizedEnding } from "./events.ts";
import type { AgentPath, CallId, InputId, RunId, SessionId } from "./ids.ts";
import type { Batch } from "./call-batch.ts";
import type { Message, Said } from "./messages.ts";
import { type Tally, newTally } from "./receipt.ts";
import type { EndState, RunResult } from "./run-result.ts";
import type { HandedIn, SeenVersion } from "./tool-outcome.ts";
import type { Cost } from "./usage.ts";

export type Waiting = {
  readonly input: InputId;
  readonly from: Sender;
  readonly how: "prompt" | "steer" | "follow-up";
  readonly content: readonly Said[];
};
export type ChildRef = {
  readonly session: SessionId;
  readonly path: AgentPath;
  readonly agent: string;
  readonly call: CallId;
  readonly name?: string;
  background: boolean;
  /** Its last result is delivered, or it was never given anything to do. */
  ended: boolean;
  /** It was spoken to again after its run `after`; these words begin its next. */
  resumed?: {
    readonly after: RunId | undefined;
    readonly input: InputId;
    readonly by: string;
    readonly content: readonly Said[];
  };
};
/** Stands for the model where the person acted: no provider's model is named without a slash. */
export const PERSON = "person";
export type SessionState = {
  readonly session: SessionId;
  readonly path: AgentPath;
  opened: SessionOpened | undefined;
  /** Its own copy, until that is given up. */
  copy: BoundCopy | undefined;
  openedAt: number;
  changedAt: number;
  status: "new" | "running" | "parked" | "paused" | EndState;
  run: RunId | undefined;
  runStartedAt: number;
  limits: Limits;
  /** How long this run had worked before it was cut off or paused. */
  spentMs: number;
  /** What was asked first, for a compaction to keep. */
  task: string;
  /** What a person or its parent has last said to it since. */
  latest: string;
  /** What the model is shown: after a compaction it begins with the summary. */
  messages: Message[];
  waiting: Waiting[];
  /** Every input ever admitted, so that none is admitted twice. */
  admitted: Set<InputId>;
  /** The id of every call on record, also of those that a compaction took out of the history. */
  callIds: Set<CallId>;
  children: Map<SessionId, ChildRef>;
  turns: number;
  runTurns: number;
  toolCalls: number;
  batch: Batch | undefined;
  /** How the last reply ended. */
  finish: string;
  costs: Map<string, Cost>;
  /** Tokens of the context at the last reply, and how many messages that covered. */
  measured: { tokens: number; messages: number };
  compactions: number;
  mode: Mode | undefined;
  /** Calls whose effect may or may not have happened: the same call again asks a person. */
  unknown: Set<string>;
  /** How often in a row the same calls gave the same results. */
  repeats: { calls: string; results: string; count: number };
  /** How many turns in a row held nothing that could be acted on. */
  badTurns: number;
  lastText: string;
  /** The agent ended itself by a call, with this result. */
  ended: HandedIn | undefined;
  /** It has ended like this, and is asked for a shorter version of its result: by the messages from `since` on. */
  summarizing: (SummarizedEnding & { readonly since: number }) | undefined;
  /** Somebody broke in: it does nothing until it is spoken to. */
  held: { readonly by: string } | undefined;
  /** How often this run was told that it cannot end like this, and what it last handed in by a call that does not fit. */
  reminders: number;
  rejected: { readonly output: string; readonly problem: string } | undefined;
  tally: Tally;
  /** The files it has read or written, each as it last saw it: it may change them as long as they are still so. */
  files: Map<string, SeenVersion>;
  result: RunResult | undefined;
  /** Its history was let go of: it stands in the journal. */
  unloaded: boolean;
};

/** What it works on now: what it was last told, else what it was given to do. */
export const presentTask = ({ latest, opened, task }: SessionState): string =>
  (latest || (opened?.child?.task ?? task)).trim();

export function newSession(session: SessionId, path: AgentPath): SessionState {
  return {
    session,
    path,
    opened: undefined,
    copy: undefined,
    openedAt: 0,
    changedAt: 0,
    status: "new",
    run: undefined,
    runStartedAt: 0,
    limits: {},
    spentMs: 0,
    task: "",
    latest: "",
    messages: [],
    waiting: [],
    admitted: new Set(),
    callIds: new Set(),
    children: new Map(),
    turns: 0,
    runTurns: 0,
    toolCalls: 0,
    batch: undefined,
    finish: "",
    costs: new Map(),
    measured: { tokens: 0, messages: 0 },
    compactions: 0,
    mode: undefined,
    unknown: new Set(),
    repeats: { calls: "", results: "", count: 0 },
    badTurns: 0,
    lastText: "",
    ended: undefined,
    summarizing: undefined,
    held: undefined,
    reminders: 0,
    rejected: undefined,
    tally: newTally(),
    files: new Map(),
    result: undefined,
    unloaded: false,
  };
}
