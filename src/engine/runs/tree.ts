// What the parts of a run tree share: who runs, who waits for whom, and how a session is found.
import type { Origin } from "../../core/events.ts";
import type { SessionId } from "../../core/ids.ts";
import type { RunResult } from "../../core/run-result.ts";
import type { ChildRef, SessionState } from "../../core/session-state.ts";
import { type Purse, createPurse } from "../loop/purse.ts";
import { inTurn } from "../../std/in-turn.ts";
import { type ChildHooks, createChildHooks } from "./child-hooks.ts";
import type { RunHandle } from "./launch.ts";
import type { SpawnKit } from "./spawn-kit.ts";
import { type Tickets, createTickets } from "./tickets.ts";
import type { TreeWriter } from "./tree-writer.ts";
import { type Wakes, createWakes } from "./wakes.ts";

export type Tree = {
  readonly writer: TreeWriter;
  readonly kit: SpawnKit;
  /** Every run that is under way, the lead's too. */
  readonly handles: Map<SessionId, RunHandle>;
  /** Those that have nothing to do but wait for their children. */
  readonly idle: Set<SessionId>;
  /** Those that end: nothing new begins below them. */
  readonly ending: Set<SessionId>;
  readonly wakes: Wakes;
  readonly hooks: ChildHooks;
  readonly tickets: Tickets;
  readonly purse: Purse;
  /** What changes how a child stands is done one after the other: its delivery, a stop, a resume. */
  readonly inTurn: <T>(child: SessionId, work: () => Promise<T>) => Promise<T>;
  stateOf(session: SessionId): SessionState | undefined;
  refsOf(parent: SessionId): ChildRef[];
  /** The record of a child in its parent's session. */
  refOf(child: SessionState): ChildRef | undefined;
};

export function createTree(writer: TreeWriter, kit: SpawnKit): Tree {
  const stateOf = (session: SessionId): SessionState | undefined => writer.state.sessions.get(session);
  const wakes = createWakes();
  writer.subscribe((event) => {
    if (event.type === "input.admitted" || event.type === "tool.ended") wakes.wake(event.session);
    if (event.type === "child.backgrounded") wakes.wake(event.child);
  });
  return {
    writer,
    kit,
    handles: new Map(),
    idle: new Set(),
    ending: new Set(),
    wakes,
    hooks: createChildHooks(writer, kit.clock, kit.hooks),
    tickets: createTickets(writer.state, kit.limits, kit.random),
    purse: createPurse(writer.state),
    inTurn: inTurn<SessionId>(),
    stateOf,
    refsOf: (parent) => [...(stateOf(parent)?.children.values() ?? [])],
    refOf(child) {
      const parent = child.opened?.spawnedBy?.session;
      return parent && stateOf(parent)?.children.get(child.session);
    },
  };
}

export function originOf({ session, path, opened }: SessionState): Origin {
  const parent = opened?.spawnedBy?.session;
  return { session, path, ...(parent && { parent }) };
}

export const isEnd = (status: string): boolean =>
  status !== "paused" && status !== "parked" && status !== "running" && status !== "new";

/** What the child gave since it was last set to work. */
export function freshResult(child: SessionState, ref: ChildRef | undefined): RunResult | undefined {
  if (!child.result || !isEnd(child.status)) return undefined;
  return ref?.resumed && ref.resumed.after === child.run ? undefined : child.result;
}
