// A fork of a session that no process has open: of a lead a tree of its own, of a child another child beside it. Nothing
// runs here: it waits to be resumed.
import { systemClock, systemRandom } from "../../adapters/clock/system-clock.ts";
import { forkHistory } from "../../core/fork-history.ts";
import { ROOT, sessionId } from "../../core/ids.ts";
import { text } from "../../core/messages.ts";
import { newerText } from "../../core/newer-format.ts";
import type { SessionState } from "../../core/session-state.ts";
import type { SpawnKit } from "../../engine/runs/spawn-kit.ts";
import { createRunTree } from "../../engine/runs/run-tree.ts";
import { admit } from "../../engine/sessions/mailbox.ts";
import { HostError } from "../host-error.ts";
import { openSession } from "../open-session.ts";
import { readState } from "../session-store.ts";
import { type Rest, opened, sendAtRest } from "./at-rest.ts";
import type { Steered } from "./controlled-tree.ts";
import type { Address } from "./find-address.ts";

export type ForkHow = { readonly turns?: number; readonly prompt?: string };

const never = new AbortController().signal;

export const forkAtRest = (rest: Rest, to: Address, how: ForkHow): Promise<Steered> =>
  to.path === ROOT ? forkLead(rest, to, how) : forkChild(rest, to, how);

/** The tree that it comes from is only read. */
async function forkLead(rest: Rest, { tree, session }: Address, { turns, prompt }: ForkHow): Promise<Steered> {
  const { state, newer } = await readState(rest.stateDir, tree);
  if (newer) throw new HostError(`session ${tree} can only be read here: ${newerText(newer)}`, "failed");
  const source = state.sessions.get(session);
  if (!source?.opened) throw new HostError(`session ${session} has no readable record`, "failed");
  if (turns !== undefined && turns < 1)
    return { ok: false, problem: `a fork takes whole turns, 1 or more, not ${turns}` };
  const messages = forkHistory(source.messages, turns);
  if (messages.length === 0) return { ok: false, problem: `${tree} has no history yet to fork` };
  const id = sessionId(systemRandom.uuid());
  const { writer, origin, log } = await openSession(rest.stateDir, id, "create", () => {}, rest.mask);
  try {
    const { agent, protocol, capability, model, binding, permissions, definition, exit, version, title } =
      source.opened;
    const event = {
      type: "session.opened",
      agent,
      ...(protocol && { protocol }),
      capability,
      model,
      binding,
      permissions: { ...permissions, mode: state.mode },
      ...(definition && { definition }),
      ...(exit && { exit }),
      version,
      trigger: "fork",
      history: { from: session, messages },
      title: prompt?.trim().split("\n")[0]?.slice(0, 80) ?? `fork of ${title}`.slice(0, 80),
    } as const;
    const { seq } = await writer.record(origin, event, never);
    if (Object.keys(state.budget).length > 0)
      await writer.record(origin, { type: "budget.changed", budget: state.budget }, never);
    if (prompt !== undefined)
      await admit(writer, origin, { from: "person", how: "prompt", content: [text(prompt)] }, systemRandom, never);
    await writer.durable(seq, origin, never);
  } finally {
    await log.close();
  }
  return { ok: true, said: `${id} begins as ${tree} stands: ${goOn(id, prompt)}` };
}

async function forkChild(rest: Rest, { tree, session, path }: Address, { turns, prompt }: ForkHow): Promise<Steered> {
  const made = await opened(rest, tree, ({ writer }) => {
    const { controls } = createRunTree(writer, restKit);
    return controls.fork(session, turns === undefined ? {} : { turns });
  });
  if (!made.ok) return made;
  const fork: Address = { tree, session: made.session, path: made.path };
  const next =
    prompt === undefined ? goOn(fork.session, prompt) : goOn(await sendAtRest(rest, fork, prompt, "steer"), prompt);
  return { ok: true, said: `${fork.path} (${fork.session}) begins as ${path} stands: ${next}` };
}

const goOn = (id: string, prompt: string | undefined): string =>
  prompt === undefined ? `sous resume ${id} TEXT speaks to it` : `sous resume ${id} goes on with it`;

/** Enough to record a child by the record of another; its depth is looked at when it is set to work. */
const restKit: SpawnKit = {
  limits: { maxConcurrent: 1, maxDepth: Infinity, maxAgents: 2_000 },
  clock: systemClock,
  random: systemRandom,
  treeSignal: never,
  transcriptOf: () => "",
  making: ({ agent }, { path }: SessionState) => notHere(`${agent ?? path} cannot be made where nothing runs`),
  parts: ({ path }) => notHere(`${path} cannot run where nothing runs`),
};

function notHere(why: string): never {
  throw new Error(why);
}
