// The agents at work for this user, in whatever process.
import { type AgentRow, agentRows, hasEnded } from "../../core/agent-rows.ts";
import type { SessionId } from "../../core/ids.ts";
import { listSessions, ownerOf, readState, sessionIds } from "../session-store.ts";
import { askHost } from "./ask-host.ts";

/** `everything`: also what has ended in live trees, and trees that wait for a person or a budget or were cut off. */
export async function listAgents(stateDir: string, everything: boolean): Promise<AgentRow[]> {
  const rows: AgentRow[] = [];
  const live = new Set<SessionId>();
  for (const tree of sessionIds(stateDir).toReversed()) {
    if (!(await ownerOf(stateDir, tree))) continue;
    live.add(tree);
    rows.push(...(await agentsOf(stateDir, tree)).filter((row) => everything || !hasEnded(row)));
  }
  if (!everything) return rows;
  for (const { id, status } of await listSessions(stateDir))
    if (!live.has(id) && HALTED.has(status)) rows.push(...(await agentsOf(stateDir, id)));
  return rows;
}

/** As its host tells, or where none answers, as its journal does. */
export async function agentsOf(stateDir: string, tree: SessionId): Promise<AgentRow[]> {
  const request = { op: "agents" };
  const reply = await askHost({ stateDir, tree, request, repeatable: true }).catch(() => undefined);
  if (typeof reply === "object" && reply.ok) return reply["agents"] as AgentRow[];
  const { owned, state } = await readState(stateDir, tree);
  return agentRows(state, tree, owned ? "running" : "left", new Map());
}

const HALTED: ReadonlySet<string> = new Set(["paused", "parked", "interrupted"]);
