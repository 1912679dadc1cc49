// What an open tree offers to those who reach it from outside.
import type { Attendance } from "../../core/agent-rows.ts";
import type { Budget, Mode, StreamEvent } from "../../core/events.ts";
import type { ItemId, SessionId } from "../../core/ids.ts";
import type { Answer, Seen } from "../../core/inbox.ts";
import type { Mask } from "../../core/mask.ts";
import type { SessionState } from "../../core/session-state.ts";
import type { TreeState } from "../../core/tree-state.ts";
import type { Waits } from "../../core/waits.ts";
import type { CopyWish, Decided } from "../workspaces/decide-copy.ts";
import type { Given } from "../../engine/runs/answer-item.ts";

/** What a person may tell an agent; `said` is a sentence for that person. */
export type Steered = { readonly ok: true; readonly said: string } | { readonly ok: false; readonly problem: string };
export type Steering = {
  send(session: SessionId, text: string, how: "steer" | "follow-up"): Promise<Steered>;
  interrupt(session: SessionId): Promise<Steered>;
  stop(session: SessionId): Promise<Steered>;
  resume(session: SessionId, prompt?: string): Promise<Steered>;
  background(session: SessionId): Promise<Steered>;
  fork(session: SessionId, how: { readonly turns?: number; readonly prompt?: string }): Promise<Steered>;
};

export type ControlledTree = {
  readonly root: SessionId;
  readonly state: TreeState;
  readonly waits: Waits;
  readonly mask: Mask;
  readonly steering: Steering;
  attendance(): Attendance;
  /** Unmasked: for the host's own eyes. */
  observe(listener: (event: StreamEvent) => void): () => void;
  changeMode(mode: Mode): Promise<void>;
  /** What is not named stays. Throws a HostError where the budget could not hold. */
  changeBudget(change: Budget): Promise<void>;
  /** A person's decision about an agent's copy. */
  decide(owner: SessionState, wish: CopyWish): Promise<Decided>;
  /** A person's answer to an item of the inbox. */
  answer(item: ItemId, answer: Answer, by: string, seen?: Seen): Promise<Given>;
};
