// The agents of a tree as people see them: how each stands, what it waits for, what it did and cost. Pure.
import type { AgentPath, SessionId } from "./ids.ts";
import type { ChildRef, SessionState } from "./session-state.ts";
import { ownCost } from "./session-cost.ts";
import type { TreeState } from "./tree-state.ts";
import { type Cost, addCost } from "./usage.ts";
import { type Wait, type Waits, waitOf } from "./waits.ts";

export type AgentRow = {
  readonly id: SessionId;
  /** The lead's session, which names the tree. */
  readonly tree: SessionId;
  readonly path: AgentPath;
  readonly agent: string;
  readonly name?: string;
  readonly status: string;
  readonly waitsFor?: Wait;
  readonly background: boolean;
  readonly model: string;
  readonly turns: number;
  readonly toolCalls: number;
  /** Of the agent and all below it; null where a price is not known. */
  readonly costUsd: number | null;
  readonly startedAt: string;
  readonly title: string;
};

/** How the tree stands: worked on by a process, open in one that waits for its person, or left by all. */
export type Attendance = "running" | "idle" | "left";

export function agentRows(tree: TreeState, root: SessionId, attendance: Attendance, waits: Waits): AgentRow[] {
  const costs = subtreeCosts(tree);
  return [...tree.sessions.values()].map((state) =>
    rowOf(state, refIn(tree, state), root, attendance, waits, costs.get(state.path)),
  );
}

/** A fork that was given nothing to do: it begins when it is spoken to. */
export const isIdle = (tree: TreeState, state: SessionState): boolean => neverSpokenTo(state, refIn(tree, state));

const neverSpokenTo = ({ status }: SessionState, ref: ChildRef | undefined): boolean =>
  status === "new" && ref?.ended === true;

/** What its parent's record says of it. */
function refIn({ sessions }: TreeState, { session, opened }: SessionState): ChildRef | undefined {
  const parent = opened?.spawnedBy?.session;
  return parent && sessions.get(parent)?.children.get(session);
}

/** Its work is over: what is left of it is its record. */
export const hasEnded = ({ status }: { readonly status: string }): boolean => !OPEN.has(status);
const OPEN: ReadonlySet<string> = new Set(["queued", "running", "waiting", "paused", "parked", "idle"]);

function rowOf(
  state: SessionState,
  ref: ChildRef | undefined,
  root: SessionId,
  attendance: Attendance,
  waits: Waits,
  cost: Cost | undefined,
): AgentRow {
  const { opened, session, path, turns, toolCalls } = state;
  const idle = neverSpokenTo(state, ref) || (session === root && attendance === "idle");
  const wait = attendance === "left" ? undefined : waitFor(state, idle, waits);
  const name = opened?.child?.name;
  return {
    id: session,
    tree: root,
    path,
    agent: opened?.agent ?? "",
    ...(name !== undefined && { name }),
    status: statusOf(state, idle, attendance, wait),
    ...(wait && { waitsFor: wait }),
    background: ref?.background ?? false,
    model: opened?.model ?? "",
    turns,
    toolCalls,
    costUsd: cost?.costUsd ?? null,
    startedAt: new Date(state.openedAt).toISOString(),
    title: opened?.title ?? "",
  };
}

function waitFor(state: SessionState, idle: boolean, waits: Waits): Wait | undefined {
  if (state.status === "paused") return { for: "budget", since: state.changedAt };
  if (state.status === "parked") return { for: "person", since: state.changedAt };
  if (idle) return { for: "person", since: state.changedAt };
  if (state.status === "running" || state.status === "new") return waitOf(waits, state.session);
  return undefined;
}

const AT_WORK: ReadonlySet<string> = new Set(["model", "tool"]);

function statusOf(state: SessionState, idle: boolean, attendance: Attendance, wait: Wait | undefined): string {
  const { status } = state;
  if (idle) return status === "paused" || status === "parked" ? status : "idle";
  if (attendance === "left") return status === "running" || status === "new" ? "interrupted" : status;
  if (status === "new") return "queued";
  if (status !== "running" || !wait || AT_WORK.has(wait.for)) return status;
  return "waiting";
}

/** Each agent's cost with all below it, in one pass however large the tree is. */
function subtreeCosts(tree: TreeState): Map<AgentPath, Cost> {
  const sums = new Map<AgentPath, Cost>();
  for (const state of tree.sessions.values()) {
    const own = ownCost(state);
    for (let path: string = state.path; path !== ""; path = path.slice(0, Math.max(0, path.lastIndexOf("::")))) {
      const before = sums.get(path as AgentPath);
      sums.set(path as AgentPath, before ? addCost(before, own) : own);
    }
  }
  return sums;
}
