// What a tool may do with children, seen from one session.
import type { Item } from "../core/inbox.ts";
import type { AgentPath, CallId, SessionId } from "../core/ids.ts";
import type { JsonObject } from "../core/json.ts";
import type { RunResult } from "../core/run-result.ts";

export type SpawnRequest = {
  readonly prompt: string;
  readonly agent?: string;
  readonly contextFiles?: readonly string[];
  /** Narrows what the definition gives; never widens. */
  readonly tools?: readonly string[];
  readonly model?: string;
  readonly background: boolean;
  readonly name?: string;
  /** At least this; its definition may ask for more. */
  readonly isolation?: "shared" | "worktree" | "sandbox";
  /** It begins with its caller's history, or the last turns of it. */
  readonly fork?: true | number;
  /** Which of several that one call makes. */
  readonly item?: number;
  /** What its result must fit. */
  readonly outputSchema?: JsonObject;
  /** Goes before what its definition says. */
  readonly summarize?: boolean | number;
};

export type ChildName = { readonly session: SessionId; readonly path: AgentPath; readonly agent: string };

/** `notes`: in what the child is not what was asked for. */
export type Spawned = { readonly notes?: readonly string[] } & SpawnedAs;
type SpawnedAs =
  | { readonly is: "ended"; readonly child: ChildName; readonly result: RunResult }
  | { readonly is: "started"; readonly child: ChildName }
  /** The child is paused or parked: the call stays open and is taken up again with it. */
  | { readonly is: "halted"; readonly child: ChildName; readonly why: string }
  | { readonly is: "refused"; readonly problem: string };

export type ChildView = ChildName & {
  readonly status: string;
  readonly background: boolean;
  readonly turns: number;
  readonly toolCalls: number;
  readonly lastText: string;
  readonly name?: string;
};

export type Refused = { readonly ok: false; readonly problem: string };
export type Steered<More = unknown> = ({ readonly ok: true } & More) | Refused;

export interface Spawner {
  /** `again`: the call had begun before a crash, and is given the child it made then. */
  spawn(request: SpawnRequest, call: CallId, again: boolean, signal: AbortSignal): Promise<Spawned>;
  children(): readonly ChildView[];
  /** What below this agent waits for an answer, or wants to be known. */
  items(): readonly Item[];
  /** Waits for its end when `block`; gives what there is after `timeoutMs`: its result, or what it said so far. */
  output(
    id: string,
    block: boolean,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<(ChildView & { readonly result?: RunResult; readonly soFar: string }) | undefined>;
  /** Until all of them, or any, have ended, at most `timeoutMs`; without ids, those at work. */
  wait(
    ids: readonly string[],
    which: "all" | "any",
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<Steered<{ readonly children: readonly ChildView[] }>>;
  stop(id: string): Promise<Steered>;
  /** What it does now ends; it stays, and waits for a message. */
  interrupt(id: string): Promise<Steered>;
  /** A child that has ended goes on with these words. */
  send(id: string, text: string): Promise<Steered<{ readonly resumed: boolean }>>;
  /** Another child with its history, or the last turns of it. */
  fork(
    id: string,
    options: { readonly turns?: number; readonly prompt?: string },
  ): Promise<Steered<{ readonly session: SessionId; readonly path: AgentPath }>>;
  /** Children of this session that run in the background. */
  pending(): number;
  /** Waits until something is in the mailbox or none is left; `halted` when those that are left are paused. */
  delivered(signal: AbortSignal): Promise<"news" | "halted">;
  /** Stops every child that still runs, or without a reason waits for it; each end is recorded when this resolves. */
  end(halt?: { readonly status: "cancelled"; readonly by: string; readonly because: string }): Promise<void>;
}
