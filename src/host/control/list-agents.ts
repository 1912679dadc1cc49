// The agents at work for this user, in whatever process.
import { type AgentRow, agentRows, hasEnded } from "../../core/agent-rows.ts";
import type { SessionId } from "../../core/ids.ts";
import { listSessions, ownerOf, readState, sessionIds } from "../session-store.ts";
import { askHost } from "./ask-host.ts";

export type ListedAgents = {
  readonly agents: readonly AgentRow[];
  /** Trees that have ended and are not among them. */
  readonly older: number;
};

/** Reading every journal of years would take its time. */
const MOST_ENDED_TREES = 20;

/** `everything`: also what has ended, and trees that wait for a person or a budget or were cut off. Newest trees first. */
export async function listAgents(stateDir: string, everything: boolean): Promise<ListedAgents> {
  const [live, rest]: [AgentRow[], AgentRow[]] = [[], []];
  let ended = 0;
  for (const { id, status } of everything ? await listSessions(stateDir) : idsAlone(stateDir)) {
    if (await ownerOf(stateDir, id))
      live.push(...(await agentsOf(stateDir, id)).filter((row) => everything || !hasEnded(row)));
    else if (!everything || (!HALTED.has(status) && ++ended > MOST_ENDED_TREES)) continue;
    // What is wrong with one must not hide the others.
    else rest.push(...(await agentsOf(stateDir, id).catch(() => [])));
  }
  return { agents: [...live, ...rest], older: Math.max(0, ended - MOST_ENDED_TREES) };
}

const idsAlone = (stateDir: string) =>
  sessionIds(stateDir)
    .toReversed()
    .map((id) => ({ id, status: "" }));

/** As its host tells, or where none answers, as its journal does. */
export async function agentsOf(stateDir: string, tree: SessionId): Promise<AgentRow[]> {
  const request = { op: "agents" };
  const reply = await askHost({ stateDir, tree, request, repeatable: true }).catch(() => undefined);
  if (typeof reply === "object" && reply.ok) return reply["agents"] as AgentRow[];
  const { owned, state } = await readState(stateDir, tree);
  return agentRows(state, tree, owned ? "running" : "left", new Map());
}

const HALTED: ReadonlySet<string> = new Set(["paused", "parked", "interrupted"]);
