import { expect, test } from "vitest";
import { ROOT, type SessionId } from "../../core/ids.ts";
import { newSession } from "../../core/session-state.ts";
import { newTree } from "../../core/tree-state.ts";
import { seededRandom } from "../../testing/memory/seeded-random.ts";
import { createTickets } from "./tickets.ts";

const root = { session: "agent-root" as SessionId, path: ROOT };

test("X5: a child that is recorded and whose ticket is still open counts once against the number of agents", async () => {
  const tree = newTree();
  tree.sessions.set(root.session, newSession(root.session, root.path));
  const tickets = createTickets(tree, { maxConcurrent: 9, maxDepth: 3, maxAgents: 4 }, seededRandom(1));
  for (let n = 0; n < 3; n++) {
    const ticket = tickets.take(root);
    if ("problem" in ticket) throw new Error(ticket.problem);
    const { session, path } = await ticket.id();
    tree.sessions.set(session, newSession(session, path));
  }
  expect(tickets.take(root)).toEqual({ problem: "too many subagents: this tree already has 4 agents, its limit" });
});
