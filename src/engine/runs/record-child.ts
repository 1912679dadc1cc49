// The records that make a child: its session, its parent's note of it, and what it is told. Each is written once, also
// when a crash came between them.
import type { Origin, Sender, SessionOpened } from "../../core/events.ts";
import type { InputId } from "../../core/ids.ts";
import { type Said, text } from "../../core/messages.ts";
import type { SessionState } from "../../core/session-state.ts";
import type { ChildDraft } from "./spawn-kit.ts";
import { type Tree, originOf } from "./tree.ts";

const never = new AbortController().signal;

export async function recordChild(
  { writer, stateOf }: Tree,
  origin: Origin,
  { agent, settings, opened }: ChildDraft,
  how: Pick<SessionOpened, "title" | "trigger"> &
    Required<Pick<SessionOpened, "spawnedBy">> &
    Pick<SessionOpened, "history">,
): Promise<SessionState> {
  const { protocol, capability, model, binding, permissions, exit, version } = opened;
  await writer.record(
    origin,
    {
      type: "session.opened",
      agent,
      ...(protocol && { protocol }),
      capability,
      model,
      binding,
      permissions,
      ...(exit && { exit }),
      version,
      child: settings,
      ...how,
      title: how.title.trim().split("\n")[0]?.slice(0, 80) ?? "",
    },
    never,
  );
  const child = stateOf(origin.session);
  if (!child) throw new Error(`${origin.path} was recorded and is not there`);
  return child;
}

/**
 * The parent's record of its child. One that begins need not wait until this is on the disk: before it asks its model
 * anything it waits for its own first input, which stands behind this in the journal.
 */
export async function noteChild({ writer, stateOf }: Tree, child: SessionState, idle = false): Promise<void> {
  const { spawnedBy, agent = "", child: settings } = child.opened ?? {};
  const parent = spawnedBy && stateOf(spawnedBy.session);
  if (!parent || parent.children.has(child.session)) return;
  const name = settings?.name;
  const to = originOf(parent);
  const { seq } = await writer.record(
    to,
    {
      type: "child.started",
      child: child.session,
      childPath: child.path,
      agent,
      call: spawnedBy.call,
      background: settings?.background ?? false,
      ...(name !== undefined && { name }),
      ...(idle && { idle }),
    },
    never,
  );
  if (idle) await writer.durable(seq, to, never);
}

/**
 * The task enters the child's mailbox once, whenever it first runs; what it is told later, likewise. Gives what
 * waits until all of it is on the disk.
 */
export async function admitWords({ writer, refOf }: Tree, child: SessionState): Promise<() => Promise<void>> {
  const origin = originOf(child);
  let last = 0;
  const admit = async (input: InputId, from: Sender, content: readonly Said[]): Promise<void> => {
    if (child.admitted.has(input)) return;
    const told = { type: "input.admitted", input, from, how: "prompt", content } as const;
    last = (await writer.record(origin, told, never)).seq;
  };
  const task = child.opened?.child?.task ?? "";
  // By its name and not by being the first: somebody may have spoken to a child that waited for its turn.
  if (child.turns === 0 && task !== "") await admit(`input-${child.session}-task` as InputId, "parent", [text(task)]);
  const { resumed } = refOf(child) ?? {};
  if (resumed) await admit(resumed.input, resumed.by === "parent" ? resumed.by : "person", resumed.content);
  return async () => {
    if (last > 0) await writer.durable(last, origin, never);
  };
}
