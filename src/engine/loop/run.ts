// Everything one run needs, made in one place and passed as one thing.
import type { Limits } from "../../core/events.ts";
import type { RunId } from "../../core/ids.ts";
import type { Patience } from "../../core/retry.ts";
import type { WorkspaceReport } from "../../core/run-result.ts";
import type { SessionState } from "../../core/session-state.ts";
import type { TreeState } from "../../core/tree-state.ts";
import type { Price, Usage } from "../../core/usage.ts";
import type { Artifacts } from "../../ports/artifacts.ts";
import type { Clock, Random } from "../../ports/clock.ts";
import type { Effort, Model } from "../../ports/model.ts";
import type { Copies } from "../../ports/copies.ts";
import type { Inbox } from "../../ports/inbox.ts";
import type { Spawner } from "../../ports/spawner.ts";
import type { Processes } from "../../ports/processes.ts";
import type { Search } from "../../ports/search.ts";
import type { Undo } from "../../ports/undo.ts";
import type { Web } from "../../ports/web.ts";
import type { Workspace } from "../../ports/workspace.ts";
import type { Guard } from "../guard/guard.ts";
import type { Hooks } from "../hooks/hooks.ts";
import type { RateGate } from "../models/rate-gate.ts";
import type { CallLimits } from "../models/watchdog.ts";
import type { FileMemory } from "../tools/file-memory.ts";
import type { Shells } from "../tools/shells.ts";
import type { Toolbox } from "../tools/toolbox.ts";

import type { Purse } from "./purse.ts";

/** Why a run is asked to hand in what it has and end. */
export type Halt = {
  readonly status: "limit" | "cancelled" | "stalled";
  readonly by?: string;
  readonly because: string;
};

/** Whatever a signal was aborted with, as the reason a run is stopped. */
export function haltOf(reason: unknown): Halt & { readonly status: "cancelled"; readonly by: string } {
  const { because, by, message } = (reason ?? {}) as { because?: string; by?: string; message?: string };
  return { status: "cancelled", by: by ?? "parent", because: because ?? message ?? "its parent was stopped" };
}

/** The driver's answer to an event: when it is safe on the disk. */
export type Mark = { durable(): Promise<void> };

export type Run = {
  readonly id: RunId;
  /** Read here, changed only by the driver's fold. */
  readonly state: SessionState;
  readonly tree: TreeState;
  readonly system: string;
  readonly model: Model;
  readonly effort?: Effort;
  readonly temperature?: number;
  readonly tools: Toolbox;
  readonly limits: Limits;
  readonly guard: Guard;
  readonly hooks?: Hooks;
  /** For agents that may have children. */
  readonly spawner?: Spawner;
  /** The copies of its children. */
  readonly copies?: Copies;
  readonly inbox: Inbox;
  readonly gate: RateGate;
  readonly callLimits: CallLimits;
  /** How long a tool may show no sign of life; left out, as long as it may run. */
  readonly toolSilenceMs?: number;
  readonly patience: Patience;
  readonly workspace: Workspace;
  readonly processes: Processes;
  readonly search: Search;
  readonly web: Web;
  readonly undo: Undo;
  readonly files: FileMemory;
  readonly shells: Shells;
  readonly artifacts: Artifacts;
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly random: Random;
  /** Looked up only when needed: loading the table takes time. */
  readonly prices: { priceOf(usage: Usage): Promise<Price | undefined>; window(): Promise<number> };
  readonly transcript: string;
  /** At its end: what stands in its own copy; one that holds nothing is given up. */
  settle?(): Promise<WorkspaceReport>;
  /** Stops at once. */
  readonly signal: AbortSignal;
  /** For what ends a run from within. */
  stop(halt: Halt): void;
  /** Asks to hand in: what is under way is interrupted, one last turn follows. Its reason is a Halt. */
  readonly handIn: AbortSignal;
  /** What somebody breaks in with now, to keep the run and talk to it; another one after each. Its reason is an Interruption. */
  interrupts(): AbortSignal;
  /** Of its tree; left out, only what is spent counts. */
  readonly purse?: Purse;
  /** For an interrupted run: waits for words; `nobody` when none will come. Left out, nobody can speak. */
  words?(signal: AbortSignal): Promise<"words" | "nobody">;
};

export type Interruption = { readonly by: string; readonly because: string };
