// What can be done to a tree that no process has open: its lock is taken for a moment and the record is added.
import { systemRandom } from "../../adapters/clock/system-clock.ts";
import type { Budget, DurableEvent, Mode, Origin } from "../../core/events.ts";
import type { SessionId } from "../../core/ids.ts";
import type { Mask } from "../../core/mask.ts";
import { text } from "../../core/messages.ts";
import { admit } from "../../engine/sessions/mailbox.ts";
import { HostError } from "../host-error.ts";
import { type OpenSession, openSession } from "../open-session.ts";
import type { Address } from "./find-address.ts";

export type Rest = { readonly stateDir: string; readonly mask: Mask };

const never = new AbortController().signal;

/** Read when the agent goes on. */
export const sendAtRest = (rest: Rest, to: Address, words: string, how: "steer" | "follow-up"): Promise<void> =>
  opened(rest, to.tree, async (session) => {
    await admit(
      session.writer,
      originIn(session, to),
      { from: "person", how, content: [text(words)] },
      systemRandom,
      never,
    );
  });

export const changeModeAtRest = (rest: Rest, tree: SessionId, mode: Mode): Promise<void> =>
  opened(rest, tree, (session) => record(session, { type: "mode.changed", mode }));

export const changeBudgetAtRest = (rest: Rest, tree: SessionId, change: Budget): Promise<Budget> =>
  opened(rest, tree, async (session) => {
    const budget = { ...session.writer.state.budget, ...change };
    await record(session, { type: "budget.changed", budget });
    return budget;
  });

async function opened<T>(
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

function originIn({ writer }: OpenSession, { session }: Address): Origin {
  const state = writer.state.sessions.get(session);
  if (!state) throw new HostError(`session ${session} has no readable record`, "failed");
  const parent = state.opened?.spawnedBy?.session;
  return { session, path: state.path, ...(parent && { parent }) };
}
