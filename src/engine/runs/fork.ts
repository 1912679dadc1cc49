// A new child with the history of another session. It is made like the one it comes from, under the same parent; a
// lead's fork becomes its child.
import type { Origin } from "../../core/events.ts";
import { forkHistory } from "../../core/fork-history.ts";
import type { CallId } from "../../core/ids.ts";
import type { SessionState } from "../../core/session-state.ts";
import type { ChildRuns } from "./child-runs.ts";
import { type Asked, type Made, spawnChild } from "./spawn.ts";
import type { Making, Problem } from "./spawn-kit.ts";
import { type Tree, originOf } from "./tree.ts";

export type ForkOptions = {
  /** Only its last turns. */
  readonly turns?: number;
  /** What the fork is to do; left out, it waits to be spoken to. */
  readonly prompt?: string;
};

export async function forkChild(
  tree: Tree,
  runs: ChildRuns,
  source: SessionState,
  { turns, prompt }: ForkOptions,
  begin: (parent: Origin) => NonNullable<Asked["begin"]>,
): Promise<Made> {
  const history = await historyOf(tree, runs, source, turns);
  if ("problem" in history) return history;
  const above = source.opened?.spawnedBy?.session;
  const state = (above && tree.stateOf(above)) ?? source;
  const parent = originOf(state);
  if (hasOwnCopy(source, state))
    return {
      problem: `${source.path} works in a copy of the project of its own, which a fork cannot share: spawn a new child`,
    };
  return spawnChild(tree, runs, parent, {
    making: makingOf(tree, source, prompt ?? ""),
    title: prompt ?? `fork of ${source.path}`,
    call: `fork-${tree.kit.random.uuid()}` as CallId,
    history,
    ...(prompt !== undefined && { begin: begin(parent) }),
  });
}

/** Where it shares its parent's folder, so may its fork. */
const hasOwnCopy = ({ opened }: SessionState, parent: SessionState): boolean =>
  (opened?.binding.isolation === "worktree" || opened?.binding.isolation === "sandbox") &&
  opened.binding.cwd !== parent.opened?.binding.cwd;

export async function historyOf(
  { writer }: Tree,
  runs: ChildRuns,
  source: SessionState,
  turns: number | undefined,
): Promise<NonNullable<Asked["history"]> | Problem> {
  if (turns !== undefined && (!Number.isInteger(turns) || turns < 1))
    return { problem: `a fork takes whole turns, 1 or more, not ${turns}` };
  const wasAway = source.unloaded;
  await writer.load(source.session);
  const messages = forkHistory(source.messages, turns);
  if (wasAway && !runs.isLive(source.session)) writer.unload(source.session);
  return messages.length > 0
    ? { from: source.session, messages }
    : { problem: `${source.path} has no history yet to fork` };
}

/** A child's fork is made from its record; a lead's, which is no child's definition, is an agent for anything. */
function makingOf({ kit }: Tree, source: SessionState, task: string): Making {
  const { opened } = source;
  if (!opened?.child) return kit.making({ prompt: task, background: true }, source);
  const { name: _name, ...settings } = opened.child;
  const { agent, model, binding } = opened;
  const asItWas = (): Promise<undefined> => Promise.resolve(undefined);
  let words = task;
  return {
    definition: async () => ({ agent, model, cwd: binding.cwd, ...(settings.hooks && { hooks: settings.hooks }) }),
    model: asItWas,
    tools: asItWas,
    permissions: asItWas,
    memory: asItWas,
    async prompt(told) {
      words = [task, ...told].join("\n\n");
      return undefined;
    },
    config: () => ({ agent, settings: { ...settings, background: true, task: words }, opened }),
    notes: () => [],
  };
}
