// What an open tree offers to those who reach it from outside.
import type { Attendance } from "../../core/agent-rows.ts";
import type { Budget, Mode, StreamEvent } from "../../core/events.ts";
import type { SessionId } from "../../core/ids.ts";
import type { Mask } from "../../core/mask.ts";
import type { TreeState } from "../../core/tree-state.ts";
import type { Waits } from "../../core/waits.ts";

export type ControlledTree = {
  readonly root: SessionId;
  readonly state: TreeState;
  readonly waits: Waits;
  readonly mask: Mask;
  attendance(): Attendance;
  /** Unmasked: for the host's own eyes. */
  observe(listener: (event: StreamEvent) => void): () => void;
  changeMode(mode: Mode): Promise<void>;
  /** What is not named stays. Throws a HostError where the budget could not hold. */
  changeBudget(change: Budget): Promise<void>;
};
