// The records that make a child: its session, its parent's note of it, and what it is told. Each is written once, also
// when a crash came between them.
import type { Origin, SessionOpened } from "../../core/events.ts";
import type { InputId } from "../../core/ids.ts";
import { text } from "../../core/messages.ts";
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

/** The task enters the child's mailbox once, whenever it first runs; what it is told later, likewise. */
export async function admitWords({ writer, refOf }: Tree, child: SessionState): Promise<void> {
  const origin = originOf(child);
  const task = child.opened?.child?.task ?? "";
  const given = `input-${child.session}-task` as InputId;
  // By its name and not by being the first: somebody may have spoken to a child that waited for its turn.
  if (child.turns === 0 && task !== "" && !child.admitted.has(given)) {
    const told = {
      type: "input.admitted",
      input: given,
      from: "parent",
      how: "prompt",
      content: [text(task)],
    } as const;
    const { seq } = await writer.record(origin, told, never);
    await writer.durable(seq, origin, never);
  }
  const { resumed } = refOf(child) ?? {};
  if (!resumed || child.admitted.has(resumed.input)) return;
  const { input, content, by } = resumed;
  const from = by === "parent" ? by : "person";
  const { seq } = await writer.record(origin, { type: "input.admitted", input, from, how: "prompt", content }, never);
  await writer.durable(seq, origin, never);
}
