// A new child with the history of another session. It is made like the one it comes from, under the same parent; a
// lead's fork becomes its child.
import type { Origin } from "../../core/events.ts";
import { forkHistory } from "../../core/fork-history.ts";
import type { CallId } from "../../core/ids.ts";
import type { SessionState } from "../../core/session-state.ts";
import { type ChildDraft, makeChild } from "./spawn.ts";
import { type Tree, originOf } from "./tree.ts";

export type ForkOptions = {
  /** Only its last turns. */
  readonly turns?: number;
  /** What the fork is to do; left out, it waits to be spoken to. */
  readonly prompt?: string;
};

export async function makeFork(
  tree: Tree,
  source: SessionState,
  { turns, prompt }: ForkOptions,
): Promise<{ readonly child: SessionState; readonly parent: Origin } | { readonly problem: string }> {
  if (turns !== undefined && (!Number.isInteger(turns) || turns < 1))
    return { problem: `a fork takes whole turns, 1 or more, not ${turns}` };
  await tree.writer.load(source.session);
  const messages = forkHistory(source.messages, turns);
  tree.writer.unload(source.session);
  if (messages.length === 0) return { problem: `${source.path} has no history yet to fork` };
  const above = source.opened?.spawnedBy?.session;
  const parent = (above && tree.stateOf(above)) ?? source;
  const draft = await draftOf(tree, source, prompt ?? "");
  if ("problem" in draft) return draft;
  const made = await makeChild(tree, originOf(parent), {
    draft,
    call: `fork-${tree.kit.random.uuid()}` as CallId,
    title: prompt ?? `fork of ${source.path}`,
    history: { from: source.session, messages },
    idle: prompt === undefined,
  });
  return "problem" in made ? made : { child: made.child, parent: originOf(parent) };
}

function draftOf({ kit }: Tree, source: SessionState, task: string): Promise<ChildDraft | { problem: string }> {
  const { opened } = source;
  // A lead is no child's definition: its fork is an agent for anything.
  if (!opened?.child) return kit.draft({ prompt: task, background: true }, source);
  const { name: _name, ...settings } = opened.child;
  return Promise.resolve({ agent: opened.agent, settings: { ...settings, background: true, task }, opened });
}
