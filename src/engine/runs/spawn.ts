// Makes a child in twelve steps, from a request to a session that is recorded and set to work. What a step did is
// undone when a later one refuses: a child that was refused leaves no number, no place and no hook behind.
import type { Origin, SessionOpened } from "../../core/events.ts";
import type { CallId } from "../../core/ids.ts";
import type { RunResult } from "../../core/run-result.ts";
import type { SessionState } from "../../core/session-state.ts";
import type { ChildRuns, Place } from "./child-runs.ts";
import { noteChild, recordChild } from "./record-child.ts";
import type { Making, Problem } from "./spawn-kit.ts";
import type { Tree } from "./tree.ts";

export type Asked = {
  readonly making: Making;
  readonly title: string;
  readonly call: CallId;
  readonly item?: number;
  readonly history?: NonNullable<SessionOpened["history"]>;
  /** Of the call that asks for it: once it is stopped, no child comes of it any more. */
  readonly signal?: AbortSignal;
  /** Sets the recorded child to work; left out, it waits to be spoken to. */
  begin?(child: SessionState, place: Place): Promise<RunResult>;
};

/** `notes`: for who asked for it. */
export type Made = { readonly child: SessionState; readonly notes: readonly string[] } | Problem;

/** Given in the order in which they were added, and undone in the opposite one. */
type Undo = (why: string) => void | Promise<void>;

export async function spawnChild(tree: Tree, runs: ChildRuns, parent: Origin, asked: Asked): Promise<Made> {
  const undo: Undo[] = [];
  const undoAll = async (why: string): Promise<void> => {
    for (const step of undo.toReversed()) await step(why);
  };
  try {
    const made = await twelveSteps(tree, runs, parent, asked, undo);
    if ("problem" in made) await undoAll(made.problem);
    return made;
  } catch (error) {
    await undoAll(error instanceof Error ? error.message : String(error));
    throw error;
  }
}

async function twelveSteps(
  tree: Tree,
  runs: ChildRuns,
  parent: Origin,
  { making, title, call, item, history, begin, signal }: Asked,
  undo: Undo[],
): Promise<Made> {
  // 1. Limits: a ticket, and a place in the queue.
  const ticket = tree.tickets.take(parent);
  if ("problem" in ticket) return ticket;
  undo.push(() => ticket.giveBack());
  const place = begin && runs.reserve();
  if (place && "problem" in place) return place;
  undo.push(() => place?.drop());

  // 2. Definition.
  const named = await making.definition();
  if ("problem" in named) return named;

  // 3. Id, and the path with the next number.
  const origin = await ticket.id();
  const { agent, cwd, hooks } = named;
  const hooked = { session: origin.session, path: origin.path, parent, agent, cwd, ...(hooks && { hooks }) };

  // 4. SubagentStart: once it has fired, SubagentStop does.
  const told = begin ? await tree.hooks.start(hooked, named.model) : [];
  undo.push((why) => tree.hooks.stop(origin.session, { status: "failed", output: why }));

  // 5. to 9. What it thinks with, acts with, may do, remembers and is told.
  for (const step of [
    () => making.model(), // 5. Model.
    () => making.tools(), // 6. Tools.
    () => making.permissions(origin), // 7. Permissions.
    () => making.memory(), // 8. Memory.
    () => making.prompt(told), // 9. Prompt.
  ]) {
    const refused = await step();
    if (refused) return refused;
  }

  // 10. Config: all of it as it will be recorded.
  const draft = making.config();

  if (signal?.aborted) return { problem: `${parent.path} was stopped first` };

  // 11. Scoped hooks: its own, until its run has ended.
  const unscope = tree.hooks.scope(hooked);
  undo.push(unscope);

  // 12. Launch: recorded, noted by its parent, and set to work as soon as there is a slot.
  return tree.inTurn(origin.session, async () => {
    const spawnedBy = { session: parent.session, call, ...(item !== undefined && { item }) };
    const trigger = history ? "fork" : "spawn";
    const child = await recordChild(tree, origin, draft, { title, trigger, spawnedBy, ...(history && { history }) });
    ticket.used();
    undo.length = 0;
    await noteChild(tree, child, begin === undefined);
    if (begin && place) void begin(child, place).finally(unscope);
    else unscope();
    return { child, notes: making.notes() };
  });
}
