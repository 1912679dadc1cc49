// What can be done to a tree that no process has open: its lock is taken for a moment and the record is added.
import { systemRandom } from "../../adapters/clock/system-clock.ts";
import type { Budget, DurableEvent, Mode } from "../../core/events.ts";
import { type SessionId, inputId } from "../../core/ids.ts";
import type { Mask } from "../../core/mask.ts";
import { text } from "../../core/messages.ts";
import type { SessionState } from "../../core/session-state.ts";
import { admit } from "../../engine/sessions/mailbox.ts";
import { HostError } from "../host-error.ts";
import { type OpenSession, openSession } from "../open-session.ts";
import type { Address } from "./find-address.ts";

export type Rest = { readonly stateDir: string; readonly mask: Mask };

const never = new AbortController().signal;

/**
 * Read when the agent goes on. A child of the lead that has ended is set to work by them when its session is; one
 * further down, whose parent has ended too, when it is resumed itself. Gives what has to be resumed.
 */
export const sendAtRest = (rest: Rest, to: Address, words: string, how: "steer" | "follow-up"): Promise<SessionId> =>
  opened(rest, to.tree, async (session) => {
    const { writer, origin } = session;
    const content = [text(words)];
    const state = stateIn(session, to);
    const parent = state.opened?.spawnedBy?.session;
    const hasEnded = parent && writer.state.sessions.get(parent)?.children.get(to.session)?.ended;
    if (!hasEnded || parent !== origin.session) {
      const own = { session: to.session, path: state.path, ...(parent && { parent }) };
      await admit(writer, own, { from: "person", how, content }, systemRandom, never);
      return hasEnded ? to.session : to.tree;
    }
    const after = state.run && { after: state.run };
    const input = inputId(systemRandom.uuid());
    await record(session, { type: "child.resumed", child: to.session, by: "person", ...after, input, content });
    return to.tree;
  });

export const changeModeAtRest = (rest: Rest, tree: SessionId, mode: Mode): Promise<void> =>
  opened(rest, tree, (session) => record(session, { type: "mode.changed", mode }));

export const changeBudgetAtRest = (rest: Rest, tree: SessionId, change: Budget): Promise<Budget> =>
  opened(rest, tree, async (session) => {
    const budget = { ...session.writer.state.budget, ...change };
    await record(session, { type: "budget.changed", budget });
    return budget;
  });

export async function opened<T>(
  { stateDir, mask }: Rest,
  tree: SessionId,
  work: (session: OpenSession) => Promise<T>,
): Promise<T> {
  const session = await openSession(stateDir, tree, "existing", () => {}, mask);
  try {
    return await work(session);
  } finally {
    await session.log.close();
  }
}

async function record({ writer, origin }: OpenSession, event: DurableEvent): Promise<void> {
  const { seq } = await writer.record(origin, event, never);
  await writer.durable(seq, origin, never);
}

function stateIn({ writer }: OpenSession, { session }: Address): SessionState {
  const state = writer.state.sessions.get(session);
  if (!state) throw new HostError(`session ${session} has no readable record`, "failed");
  return state;
}
