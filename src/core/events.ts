// Everything that can happen in a tree. Durable events are the truth and are folded into state; live ones are for
// watching only and are never stored. Names are noun, then past verb.
import type { Network } from "./domains.ts";
import type { AgentPath, CallId, InputId, ItemId, RunId, SessionId } from "./ids.ts";
import type { Answer, Asked, Seen } from "./inbox.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Message, ReplyPart, Said } from "./messages.ts";
import type { AgentDefinition } from "./agents/definition.ts";
import type { Beyond } from "./permissions.ts";
import type { Rule, Rules } from "./rules.ts";
import type { Fault } from "./model-fault.ts";
import type { SummaryRule } from "./results/summary-wish.ts";
import type { EndState, HaltState, RunResult } from "./run-result.ts";
import type { ToolOutcome } from "./tool-outcome.ts";
import type { Usage } from "./usage.ts";

/** The version of the record format: raised when an old reader could misread a new record. */
export const FORMAT = 1;

/** How a model acts: by calling tools, or, where it cannot, by one block of bash in each reply. */
export type Protocol = "tools" | "bash";

export type SessionOpened = {
  type: "session.opened";
  agent: string;
  /** Absent means tools. */
  protocol?: Protocol;
  capability: "primary" | "subtask" | "watcher";
  model: string;
  binding: Binding;
  permissions: { mode: Mode } & StandingPermissions;
  trigger: string;
  /** The call that made it, when it is a child; `item` where one call makes several. */
  spawnedBy?: { session: SessionId; call: CallId; item?: number };
  /** What it begins with, when it was forked from another session. */
  history?: { from: SessionId; messages: readonly Message[] };
  /** What a lead runs as, where it is not Sous's own: it goes on the same whatever became of the file. */
  definition?: AgentDefinition;
  /** How a child runs: kept here, so that it goes on the same whatever became of its definition. */
  child?: ChildSettings;
  exit?: ExitRules;
  title: string;
  version: string;
};

/** Where a session works: made for it, never taken from anything global. */
export type Binding = {
  cwd: string;
  isolation: "shared" | "worktree" | "sandbox" | "custom";
  allowWrites: boolean;
  /** A sandbox has none unless it is given, all of it or some domains. */
  network?: Network;
};

/** A copy of its own that a session works in. */
export type BoundCopy = {
  root: string;
  /** Where the state it was made from is kept. */
  store: string;
  base: string;
  branch: string;
  /** The folder that was copied, and into which changes come back. */
  source: string;
};

/** What became of a copy: nothing was in it, or a person or its parent decided. */
export type ReleasedHow = "clean" | "applied" | "kept" | "discarded";

/** What the person gave with the session: it holds whenever the session goes on. */
export type StandingPermissions = {
  readonly rules?: Rules;
  readonly addDirs?: readonly string[];
  readonly effort?: string;
  readonly approvals?: Approvals;
};

/** What becomes of what asks where no person is attached; `allow` is only for children in the background. */
export type Approvals = "deny" | "inbox" | "allow";

export type ChildSettings = {
  readonly background: boolean;
  readonly system: string;
  /** What it is asked to do, with the files it was handed. */
  readonly task: string;
  readonly tools: readonly string[];
  readonly limits: Limits;
  /** What its definition leaves of some tools, and what it denies. */
  readonly narrowing: readonly { readonly tool: string; readonly allow: readonly Rule[] }[];
  readonly deny: readonly Rule[];
  /** Whom it may spawn; left out, nobody. */
  readonly spawns?: "*" | readonly string[];
  readonly name?: string;
  readonly effort?: string;
  readonly temperature?: number;
  readonly memory?: MemoryGate;
  /** What it may touch outside of the workspace. */
  readonly beyond?: Beyond;
  /** What would be asked is not done. */
  readonly neverAsks?: boolean;
  /** Its definition's own hooks, for itself and its subtree. */
  readonly hooks?: JsonObject;
  /** When its result is handed in a second time, shorter. */
  readonly summarize?: SummaryRule;
};

export type MemoryGate = {
  /** Real: this file and no other. */
  readonly path: string;
  /** Of the content that its prompt shows. */
  readonly hash?: string;
  /** Tools that it has for this file only. */
  readonly tools: readonly string[];
};

/** What a run must hand in, and the only ways in which it may end; left out, a last message is enough. */
export type ExitRules = { readonly outputSchema?: JsonObject; readonly exitVia?: readonly string[] };

/** How a run had ended before it was asked for a summary. */
export type SummarizedEnding = {
  readonly status: EndState | HaltState;
  readonly output: string;
  readonly error?: NonNullable<RunResult["error"]>;
};

export type Mode = "human" | "confirm" | "yolo";
export type Sender = "person" | "parent" | "child" | "system";
export type Limits = { maxTurns?: number; timeoutMs?: number };
/** Of the whole tree. `ms` is how long its lead has worked. */
export type Budget = { usd?: number; tokens?: number; turns?: number; ms?: number };

export type DurableEvent =
  | SessionOpened
  | { type: "run.started"; run: RunId; limits: Limits; resumed: boolean }
  | {
      type: "input.admitted";
      input: InputId;
      from: Sender;
      how: "prompt" | "steer" | "follow-up";
      content: readonly Said[];
      /** The harness reminds the agent of how it has to end. */
      reminder?: boolean;
    }
  | { type: "input.promoted"; input: InputId }
  /** A hook holds it back: it never enters the conversation. */
  | { type: "input.dropped"; input: InputId; because: string }
  | { type: "turn.started"; turn: number; model: string }
  | {
      type: "assistant.replied";
      turn: number;
      model: string;
      content: readonly ReplyPart[];
      finish: string;
      usage: Usage;
      costUsd: number | null;
    }
  | { type: "model.failed"; turn: number; attempt: number; fault: Fault; retryInMs?: number; costUsd?: number | null }
  | {
      type: "tool.started";
      turn: number;
      call: CallId;
      tool: string;
      input: JsonObject;
      repeatable: boolean;
      lasting?: boolean;
    }
  | {
      type: "child.started";
      child: SessionId;
      childPath: AgentPath;
      agent: string;
      call: CallId;
      background: boolean;
      name?: string;
      /** Nobody has given it anything to do yet. */
      idle?: boolean;
    }
  | { type: "child.backgrounded"; child: SessionId; by: string }
  | {
      type: "child.resumed";
      child: SessionId;
      by: string;
      /** Its last run when it was spoken to again: what that run gave was delivered. */
      after?: RunId;
      input: InputId;
      content: readonly Said[];
    }
  /** In the parent's record. A start stands before it is fired, a stop after: a crash leads to no second start. */
  | {
      type: "hook.fired";
      event: "SubagentStart" | "SubagentStop";
      child: SessionId;
      childPath: AgentPath;
      agent: string;
    }
  | { type: "child.ended"; child: SessionId; call: CallId; status: string; summary: string; reason?: string }
  | { type: "tool.ended"; call: CallId; outcome: ToolOutcome; durationMs: number }
  | {
      type: "context.compacted";
      summary: string;
      keep: number;
      tokensBefore: number;
      usage: Usage;
      costUsd: number | null;
    }
  | ({ type: "item.added"; item: ItemId } & Asked)
  /** `by`: which terminal or process. Only a person's answer approves. */
  | { type: "item.answered"; item: ItemId; answer: Answer; by: string; seen?: Seen }
  | { type: "mode.changed"; mode: Mode }
  | { type: "settings.changed"; model?: string; permissions?: StandingPermissions; exit?: ExitRules }
  | { type: "budget.changed"; budget: Budget }
  | ({ type: "workspace.bound" } & BoundCopy)
  | { type: "workspace.released"; how: ReleasedHow; by?: string }
  | { type: "note.added"; kind: string; text: string; details?: Json }
  /** The run has ended but for a shorter version of its result, which it is asked for now. */
  | { type: "summary.asked"; ending: SummarizedEnding }
  | { type: "run.paused"; run: RunId; why: string; result: RunResult }
  | { type: "run.parked"; run: RunId; why: string; result: RunResult }
  | { type: "run.resumed"; run: RunId }
  | { type: "run.interrupted"; run: RunId; by: string }
  | { type: "run.ended"; run: RunId; result: RunResult };

export type LiveEvent =
  | { type: "text.delta"; turn: number; text: string }
  | { type: "reasoning.delta"; turn: number; text: string }
  | { type: "tool.progress"; call: CallId; text: string }
  | { type: "agent.waiting"; for: WaitingFor; since: number; detail?: string }
  | { type: "child.queued"; child: SessionId; childPath: AgentPath; agent: string; place: number }
  | { type: "log.synced"; upTo: number };

export type WaitingFor =
  "model" | "cooldown" | "retry" | "tool" | "approval" | "person" | "parent" | "slot" | "child" | "budget" | "disk";

/** What a run's loop yields. */
export type RunEvent = DurableEvent | LiveEvent;

/** Whose event it is. */
export type Origin = { readonly session: SessionId; readonly path: AgentPath; readonly parent?: SessionId };

/** A durable event as it stands in the journal and on the stream. `seq` counts per tree without gaps. */
export type Recorded<E extends DurableEvent = DurableEvent> = E extends DurableEvent
  ? { v: number; seq: number; time: number; epoch: number; session: SessionId; path: AgentPath; parent?: SessionId } & E
  : never;
export type Live = { v: number; live: true; time: number; session: SessionId; path: AgentPath } & LiveEvent;
export type StreamEvent = Recorded | Live;

const live: ReadonlySet<string> = new Set([
  "text.delta",
  "reasoning.delta",
  "tool.progress",
  "agent.waiting",
  "child.queued",
  "log.synced",
]);
export const isDurable = (event: RunEvent): event is DurableEvent => !live.has(event.type);
export const isRecorded = (event: StreamEvent): event is Recorded => !("live" in event);
